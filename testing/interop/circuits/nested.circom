pragma circom 2.0.0;

// Inputs of several shapes and depths, in an order that is not that of the alphabet: a prover that
// flattens or names them otherwise than circom does gets another witness.
template Nested() {
    signal input zeta[2][3];
    signal input alpha;
    signal input deep[2][2][2];
    signal input list[4];
    signal output rows[2];
    signal output folded;

    signal partial[2][3];
    for (var i = 0; i < 2; i++) {
        var row = alpha;
        for (var j = 0; j < 3; j++) {
            partial[i][j] <== zeta[i][j] * (zeta[i][j] + 7 * i + j);
            row += (j + 1) * partial[i][j];
        }
        rows[i] <== row;
    }

    signal steps[9];
    steps[0] <== alpha;
    for (var i = 0; i < 8; i++) {
        steps[i + 1] <== steps[i] * deep[i \ 4][(i \ 2) % 2][i % 2] + list[i % 4];
    }
    folded <== steps[8];
}

component main { public [list, alpha] } = Nested();
