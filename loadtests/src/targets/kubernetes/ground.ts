/** What differs between namespaces of the lab's own and parts of a given one. */
export interface Ground {
  namespaceOf(home: string): string
  /** The API path of the objects that mark homes. */
  marks: string
  /** The homes of all labs, with what their marks say about the owner. */
  all(): Promise<{ name: string; annotations: Record<string, string> }[]>
  /** Makes the mark, and waits until pods can be made. */
  begin(home: string, annotations: Record<string, string>): Promise<void>
  /** Removes what is in it, and last its mark. */
  end(home: string): Promise<void>
}

/** When a home's owner last said that it is there. */
export const seen = 'n8n-tuned/seen'
