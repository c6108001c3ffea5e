package budget

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

var binaryUnits = []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// FormatBytes writes a number of bytes for people, "512 B", "1.5 GiB": exactly where it is short, else to three digits.
func FormatBytes(bytes int64) string {
	if bytes < 0 {
		return strconv.FormatInt(bytes, 10) + " B"
	}
	unit, value := 0, float64(bytes)
	for value >= 1023.5 && unit < len(binaryUnits)-1 {
		value /= 1024
		unit++
	}
	decimals := 2
	if value >= 100 {
		decimals = 0
	} else if value >= 10 {
		decimals = 1
	}
	number := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + binaryUnits[unit]
}

var unitBytes = map[string]int64{
	"": 1, "b": 1,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "pib": 1 << 50,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "pb": 1e15,
}

// ParseBytes reads a size: a decimal number, and a unit of bytes (none or B), powers of 1024 (KiB to PiB) or of 1000
// (kB to PB) in any case, with or without a space. The size must be a whole number of bytes.
func ParseBytes(text string) (int64, error) {
	trimmed := strings.TrimSpace(text)
	end := strings.LastIndexAny(trimmed, "0123456789.") + 1
	number, unit := trimmed[:end], strings.ToLower(strings.TrimSpace(trimmed[end:]))
	scale, known := unitBytes[unit]
	if !known {
		return 0, fmt.Errorf("size %q: unknown unit %q (use B, KiB, MiB, GiB, TiB, kB, MB, GB or TB)", text, unit)
	}
	if len(number) == 0 || len(number) > 32 || strings.Trim(number, "0123456789.") != "" {
		return 0, fmt.Errorf("size %q: not a number of bytes", text)
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fmt.Errorf("size %q: not a number of bytes", text)
	}
	value.Mul(value, new(big.Rat).SetInt64(scale))
	if !value.IsInt() || value.Cmp(new(big.Rat).SetInt64(math.MaxInt64)) > 0 {
		return 0, fmt.Errorf("size %q: not a whole number of bytes below 8 EiB", text)
	}
	return value.Num().Int64(), nil
}
