package spec

// A Code names one thing that can be wrong with a pipeline. Codes are stable: one is never given a second meaning.
type Code string

// The codes. E1xx is the form of the file, E2xx values, E3xx names, E4xx how stages are joined, E5xx types.
const (
	CodeSyntax     Code = "E100"
	CodeUnknownKey Code = "E101"
	CodeDuplicate  Code = "E102"
	CodeTooLarge   Code = "E103"
	CodeFeature    Code = "E104"
	CodeShape      Code = "E105"
	CodeMissing    Code = "E106"
	CodeName       Code = "E107"
	CodeAmbiguous  Code = "E108"
	CodeNoEffect   Code = "E109"
	CodeTooMany    Code = "E110"

	CodeValue      Code = "E201"
	CodeExpression Code = "E202"
	CodeReference  Code = "E203"
	CodeParamCycle Code = "E204"
	CodeOverflow   Code = "E205"
	CodeDivision   Code = "E206"
	CodeRange      Code = "E207"
	CodeChoice     Code = "E208"
	CodeOverride   Code = "E209"

	CodeNoKind     Code = "E301"
	CodeNoPool     Code = "E302"
	CodeNoClass    Code = "E303"
	CodeNoStage    Code = "E304"
	CodeNoPort     Code = "E305"
	CodeNoResource Code = "E306"
	CodeOveruse    Code = "E307"
	CodeOptions    Code = "E308"
	CodeKind       Code = "E309"

	CodeFedTwice    Code = "E401"
	CodeUnconnected Code = "E402"
	CodeDirection   Code = "E403"
	CodeCycle       Code = "E404"
	CodeTaken       Code = "E405"
	CodeWhichPort   Code = "E406"
	CodeOtherPool   Code = "E407"
	CodeShare       Code = "E408"
	CodeMemory      Code = "E409"

	CodeTypes Code = "E501"
)

// meanings says in a sentence what each code stands for; docs/pipeline-language.md has the same table.
var meanings = map[Code]string{
	CodeSyntax:     "The file is not YAML, or not UTF-8.",
	CodeUnknownKey: "A key that means nothing here.",
	CodeDuplicate:  "A key that stands twice in one mapping.",
	CodeTooLarge:   "The file, its nesting or one of its lists is larger than any pipeline needs.",
	CodeFeature:    "A feature of YAML that pipelines do without: anchors, aliases, merge keys, tags, several documents.",
	CodeShape:      "A mapping, a list or a single value stands where another of them belongs.",
	CodeMissing:    "A key that must be there is not.",
	CodeName:       "A name with characters that names cannot have.",
	CodeAmbiguous:  "A value that other readers of YAML take for something else, such as yes or 010.",
	CodeNoEffect:   "A key that has no effect beside the others.",
	CodeTooMany:    "More errors follow; the first are shown.",

	CodeValue:      "Not a value of the kind that belongs here: an integer, a size, true or false, text.",
	CodeExpression: "An expression in ${} that cannot be read.",
	CodeReference:  "An expression names a parameter that is not declared.",
	CodeParamCycle: "Parameters whose values depend on each other in a circle.",
	CodeOverflow:   "A number, or a step of an expression, that does not fit in 64 bits.",
	CodeDivision:   "An expression divides by zero.",
	CodeRange:      "A number outside of what is allowed.",
	CodeChoice:     "A word that is not among the choices.",
	CodeOverride:   "A --set that is not name=value, or that names no parameter.",

	CodeNoKind:     "No stage kind has that name.",
	CodeNoPool:     "No pool has that name.",
	CodeNoClass:    "No buffer class has that name.",
	CodeNoStage:    "No stage has that name.",
	CodeNoPort:     "The stage has no port, and no scratch class, of that name.",
	CodeNoResource: "No resource has that name.",
	CodeOveruse:    "A stage uses more of a resource than there is.",
	CodeOptions:    "The stage kind refuses these options together.",
	CodeKind:       "The stage kind itself is declared wrongly: a mistake in the program, not in the pipeline.",

	CodeFedTwice:    "Two edges lead to one input.",
	CodeUnconnected: "A required input has no edge.",
	CodeDirection:   "An edge leaves from an input or arrives at an output.",
	CodeCycle:       "Stages that wait for each other in a circle.",
	CodeTaken:       "A stage works in place on a buffer that others still read.",
	CodeWhichPort:   "A stage is named without its port, but has several.",
	CodeOtherPool:   "An output takes over its input's buffer, but its class lies in another pool.",
	CodeShare:       "A share in percent of a pool that has no size, or by an output without a buffer.",
	CodeMemory:      "A buffer lies in a pool of memory that the stage kind cannot work with.",

	CodeTypes: "An edge joins an output and an input of different types.",
}

// Meaning says in a sentence what the code stands for ("" where there is no such code).
func (c Code) Meaning() string { return meanings[c] }
