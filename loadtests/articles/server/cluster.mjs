import cluster from 'node:cluster'

/**
 * Starts the workers, and starts a new one when one ends. Once all listen, returns a function that asks one how many
 * requests it has answered.
 */
export async function startCluster(count) {
  const workers = new Map()
  let questions = 0
  const start = (member) => {
    const worker = cluster.fork({ MEMBER: member })
    workers.set(member, worker)
    worker.on('exit', () => start(member))
    return new Promise((resolve) => worker.once('listening', resolve))
  }
  await Promise.all(Array.from({ length: count }, (_, index) => start(`worker-${index + 1}`)))
  return (member) =>
    new Promise((resolve) => {
      const worker = workers.get(member)
      if (!worker?.isConnected()) return resolve(null)
      const question = questions++
      const hear = (message) => {
        if (message.question !== question) return
        worker.off('message', hear)
        resolve(message.answer)
      }
      worker.on('message', hear)
      worker.once('exit', () => resolve(null))
      worker.send(question)
    })
}
