/** Which of the names that there are somebody meant: one slip for each three letters is still a slip. */

/** The nearest name; undefined where none is near enough. Of two that are as near, the first. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const text = given.slice(0, longest).toLowerCase()
  const rated = known.map((name) => ({ name, slips: slipsBetween(text, name.toLowerCase()) }))
  const [best] = rated.toSorted((a, b) => a.slips - b.slips)
  return best && best.slips <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined
}

/** What a message says in place of all names; `otherwise` where no name is near. */
export function didYouMean(given: string, known: readonly string[], otherwise: string): string {
  const name = nearest(given, known)
  return name === undefined ? otherwise : `Did you mean ${name}?`
}

/** No name that we know is longer. */
const longest = 100

/** Letters left out, added, replaced, or in the place of their neighbours. */
function slipsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[j - 2]! + 1 : Infinity,
      )
    }
    before = row
    row = next
  }
  return row[other.length]!
}
