// n8n 1 removes each job from Redis when it ends. A webhook that has not begun to listen by then never hears of the
// end, and its caller waits for ever. With this patch the last thousand jobs stay, and the webhook finds its own. n8n
// 2.41 has a setting for that, N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED.
exports.line = '1.'
exports.modules = {
  'dist/scaling/scaling.service.js': {
    edit: (source) => source.replace(/(removeOnComplete|removeOnFail): true/g, '$1: 1000'),
  },
}
