// n8n's start leaves a hundred megabytes behind, code that ran once among it. V8 keeps that until it needs the room,
// or nobody has asked for anything for long enough. Here it is let go of in the first second with nothing to do,
// and kept where five minutes had none: code that serves requests by then is not to be forgotten with it.
const { isMainThread } = require('worker_threads')

if (isMainThread) {
  const { eventLoopUtilization } = require('perf_hooks').performance

  let before = eventLoopUtilization()
  const looking = setInterval(() => {
    const now = eventLoopUtilization()
    const busy = eventLoopUtilization(now, before).utilization
    before = now
    const isIdle = busy < 0.1
    if (isIdle || process.uptime() > 300) clearInterval(looking)
    if (!isIdle) return
    // V8 puts it into contexts that are made from now on, so that n8n does not see it.
    require('v8').setFlagsFromString('--expose-gc')
    require('vm').runInNewContext('gc')({ type: 'major', flavor: 'last-resort' })
    require('v8').setFlagsFromString('--no-expose-gc')
  }, 1000).unref()
}
