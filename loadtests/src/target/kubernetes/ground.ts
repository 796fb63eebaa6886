/** What differs between the two kinds of homes. */
export interface Ground {
  namespaceOf(home: string): string
  /** The API path of the objects that mark homes, and what selects them. */
  marks: string
  selector: string
  /** Makes the mark, with its owner's annotations, and waits until pods can be made. */
  begin(home: string, annotations: Record<string, string>): Promise<void>
  /** Removes what is in it, and last its mark. */
  end(home: string): Promise<void>
}
