package sheet

// Even returns the numbers of n evenly spaced frames of a movie with the given number of
// frames, including the first and the last. For n = 1 it returns the middle frame. It
// returns every frame if there are at most n, and nil if either number is below 1.
func Even(frames, n int) []int {
	if frames < 1 || n < 1 {
		return nil
	}
	if n = min(n, frames); n == 1 {
		return []int{(frames - 1) / 2}
	}
	chosen := make([]int, n)
	for i := range chosen {
		chosen[i] = (2*i*(frames-1) + n - 1) / (2 * (n - 1)) // rounded
	}
	return chosen
}
