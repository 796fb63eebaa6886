/** What a run reports while it runs. */
export interface Progress {
  /** A line that stays. */
  say(line: string): void
  /** What is under way now; replaces itself. */
  doing(text: string): void
}
