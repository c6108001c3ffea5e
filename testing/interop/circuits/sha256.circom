pragma circom 2.0.0;

include "circomlib/circuits/sha256/sha256.circom";
include "circomlib/circuits/bitify.circom";

// One block of SHA-256: 31 thousand constraints, a witness of zeros and ones. The digest is public
// as two numbers of 128 bits.
template Digest() {
    signal input message[8]; // 32 bits each
    signal output digest[2];

    component bits[8];
    component sha = Sha256(256);
    for (var i = 0; i < 8; i++) {
        bits[i] = Num2Bits(32);
        bits[i].in <== message[i];
        for (var j = 0; j < 32; j++) {
            sha.in[32 * i + j] <== bits[i].out[31 - j];
        }
    }

    component packed[2];
    for (var i = 0; i < 2; i++) {
        packed[i] = Bits2Num(128);
        for (var j = 0; j < 128; j++) {
            packed[i].in[j] <== sha.out[128 * i + 127 - j];
        }
        digest[i] <== packed[i].out;
    }
}

component main = Digest();
