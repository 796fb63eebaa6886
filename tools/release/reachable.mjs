// Waits until a server answers, for ten seconds at most.
// usage: reachable.mjs URL
const end = Date.now() + 10_000
while (Date.now() < end) {
  const answer = await fetch(process.argv[2]).catch(() => undefined)
  if (answer?.ok) process.exit(0)
  await new Promise((resolve) => setTimeout(resolve, 50))
}
process.exit(1)
