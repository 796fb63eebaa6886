/** What is recommended of a capacity. The rest is for peaks, for neighbours on the machine and for the next release. */
export const usualShare = 0.7

/** A load that lasts for less says nothing of memory by the hour. */
export const isSoak = (seconds: number): boolean => seconds >= 600
