pragma circom 2.0.0;

// Many public signals: n outputs, then a public input. A key with a long IC.
template Powers(n) {
    signal input base;
    signal input shift;
    signal output power[n];
    power[0] <== base + shift;
    for (var i = 1; i < n; i++) {
        power[i] <== power[i - 1] * (base + i);
    }
}

component main { public [shift] } = Powers(150);
