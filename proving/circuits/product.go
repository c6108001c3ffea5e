package circuits

// productChain is x[i+1] = (x[i]+b)(x[i]+i+1) for so many steps, from private x[0] and b to the
// public last x.
func productChain[E comparable, P scalar[E]](c *builder[E, P], steps int) {
	out, x, b := c.output(), c.input(), c.input()
	for i := range steps {
		x = c.product(sum[E]{x, b}, sum[E]{x, c.constant(int64(i) + 1)})
	}
	c.equate(out, x)
}
