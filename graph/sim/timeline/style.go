package timeline

// colors is the number of colours in the style sheet; what has more begins again.
const colors = 8

const styleSheet = `
:root{color-scheme:light dark;--ink:#0f172a;--muted:#5b6b80;--page:#ffffff;--rule:#e2e8f0;--lane:#f1f5f9;--bad:#dc2626;--many:#7b8aa0;
--c0:#2563eb;--c1:#d97706;--c2:#059669;--c3:#7c3aed;--c4:#db2777;--c5:#0891b2;--c6:#65a30d;--c7:#64748b}
@media (prefers-color-scheme:dark){:root{--ink:#f1f5f9;--muted:#9aa7b5;--page:#0d1117;--rule:#30363d;--lane:#161b22;--bad:#f87171;--many:#8493a5;
--c0:#60a5fa;--c1:#fbbf24;--c2:#34d399;--c3:#a78bfa;--c4:#f472b6;--c5:#22d3ee;--c6:#a3e635;--c7:#94a3b8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:14px/1.4 "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
main{max-width:1280px;margin:0 auto;padding:20px}
h1{font-size:22px;margin:4px 0 6px}h2{font-size:19px;margin:36px 0 6px;padding-top:14px;border-top:1px solid var(--rule)}
h3{font-size:15px;margin:0 0 8px}.lead{color:var(--muted);margin:0 0 14px;max-width:90ch}
dl{display:flex;flex-wrap:wrap;gap:8px;margin:0}dl div{border:1px solid var(--rule);border-radius:8px;padding:7px 12px}
dt{color:var(--muted);font-size:12px}dd{margin:2px 0 0;font-weight:bold}.grave{border-color:var(--bad)!important}.grave dd{color:var(--bad)}
figure{margin:22px 0 0;break-inside:avoid}
.scroll{overflow-x:auto}svg{width:100%;min-width:760px;height:auto;display:block}
table{border-collapse:collapse;margin:22px 0 0;font-variant-numeric:tabular-nums}
th,td{padding:4px 14px 4px 0;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}th{color:var(--muted);font-weight:normal;font-size:12px}
.words{text-align:left}.bad{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--page);stroke-width:3px;stroke-linejoin:round}
.grid,.rule{stroke:var(--rule);fill:none}.tick{fill:var(--muted);font-size:11px}.stage{fill:var(--ink);font-size:12px;font-weight:bold}
.lane{fill:var(--lane)}.limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 4;fill:none}
.mark{stroke:var(--muted);stroke-dasharray:2 4;fill:none}.failed{fill:var(--bad)}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}.c7{fill:var(--c7)}
svg [class^=c]{opacity:.85}svg [class^=c]:hover{opacity:1}
.many{fill:var(--many)}
figcaption{margin:4px 0 0 12%;color:var(--muted);font-size:12px}figcaption span{display:inline-block;margin-right:16px}figcaption b{font-weight:normal;color:var(--ink)}
figcaption i{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:5px;vertical-align:-1px}
@media (max-width:700px){main{padding:12px}figcaption{margin-left:0}}
@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}svg{min-width:0}}
.b0{background:var(--c0)}.b1{background:var(--c1)}.b2{background:var(--c2)}.b3{background:var(--c3)}.b4{background:var(--c4)}.b5{background:var(--c5)}.b6{background:var(--c6)}.b7{background:var(--c7)}
`
