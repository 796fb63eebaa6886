/**
 * A number from 0 to 1 that only the seed and the key determine. Without state, every worker of an n8n draws the same
 * number. FNV-1a over the text, then the last steps of MurmurHash3, which spread keys that differ in one digit.
 */
export function draw(seed: number, key: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(`${seed}:${key}`)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
