package spec

import "slices"

// A variable is a type parameter's variable of one stage.
type variable struct {
	stage int
	name  string // with its '?'
}

// A link says that a variable equals another or a value, and which edge made it so.
type link struct {
	other variable
	value string // where it is not empty, the variable equals this value
	edge  int
}

// A unifier finds the values of variables: sets of equal variables (union-find), each with at most one value. It
// remembers every link, to tell later how a variable came by its value.
type unifier struct {
	parent map[variable]variable
	values map[variable]string // by representative
	links  map[variable][]link
}

func newUnifier() *unifier {
	return &unifier{map[variable]variable{}, map[variable]string{}, map[variable][]link{}}
}

// find gives the representative of a variable's set.
func (u *unifier) find(v variable) variable {
	for {
		next, found := u.parent[v]
		if !found {
			return v
		}
		if further, found := u.parent[next]; found {
			u.parent[v] = further
		}
		v = next
	}
}

// value gives the value of a variable ("" where nothing determines it).
func (u *unifier) value(v variable) string { return u.values[u.find(v)] }

// bind lets a variable have a value; it reports whether it could.
func (u *unifier) bind(v variable, value string, edge int) bool {
	root := u.find(v)
	if has, found := u.values[root]; found {
		return has == value
	}
	u.values[root] = value
	u.links[v] = append(u.links[v], link{value: value, edge: edge})
	return true
}

// equate lets two variables be equal; it reports whether they could.
func (u *unifier) equate(v, w variable, edge int) bool {
	rootV, rootW := u.find(v), u.find(w)
	valueV, hasV := u.values[rootV]
	valueW, hasW := u.values[rootW]
	if hasV && hasW && valueV != valueW {
		return false
	}
	if rootV == rootW {
		return true
	}
	u.parent[rootV] = rootW
	if hasV {
		u.values[rootW] = valueV
	}
	u.links[v] = append(u.links[v], link{other: w, edge: edge})
	u.links[w] = append(u.links[w], link{other: v, edge: edge})
	return true
}

// why gives the edges over which a value came to a variable, from the value to the variable.
func (u *unifier) why(v variable) []int {
	type step struct {
		at   variable
		path []int
	}
	seen := map[variable]bool{v: true}
	for queue := []step{{at: v}}; len(queue) > 0; queue = queue[1:] {
		here := queue[0]
		for _, l := range u.links[here.at] {
			path := append(slices.Clone(here.path), l.edge)
			if l.value != "" {
				slices.Reverse(path)
				return path
			}
			if !seen[l.other] {
				seen[l.other] = true
				queue = append(queue, step{l.other, path})
			}
		}
	}
	return nil
}
