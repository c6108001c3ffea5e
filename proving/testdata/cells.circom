pragma circom 2.0.0;

// A cube chain over a matrix of inputs: arrays of two dimensions, a scalar,
// public inputs beside private ones, linear and quadratic constraints, zeros.
template Cells(rows, cols) {
    signal input cell[rows][cols];
    signal input scale;
    signal input bits[8];
    signal output sum;
    signal output packed;

    signal square[rows][cols];
    signal cube[rows][cols];
    var total = 0;
    for (var i = 0; i < rows; i++) {
        for (var j = 0; j < cols; j++) {
            square[i][j] <== cell[i][j] * cell[i][j];
            cube[i][j] <== square[i][j] * (cell[i][j] + scale);
            total += (i + 2 * j + 1) * cube[i][j];
        }
    }
    sum <== total + 7;

    var value = 0;
    for (var b = 0; b < 8; b++) {
        bits[b] * (bits[b] - 1) === 0;
        value += bits[b] * (1 << b);
    }
    packed <== value * scale;
}

component main {public [scale]} = Cells(2, 3);
