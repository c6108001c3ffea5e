package main
func runCompare(args []string) error { return errUsage }
