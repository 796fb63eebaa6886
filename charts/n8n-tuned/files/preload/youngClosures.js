// V8 takes a function that is assigned to a property for one that stays, and accessors too: it makes them where only its
// rare, long collections clean up, and what they reach waits there with them. n8n makes some for every webhook, which
// reach all of that request and its execution. Here they are made like everything else, and gone a moment later.
const Module = require('module')

// Nor does V8 learn to make objects there that lived a little longer while n8n started.
require('v8').setFlagsFromString('--no-allocation-site-pretenuring')

const compile = Module.prototype._compile

Module.prototype._compile = function (source, file, ...rest) {
  return compile.call(this, mend(source, file), file, ...rest)
}

const assigning = /[\\/]node_modules[\\/](compression[\\/]index|tslib[\\/]tslib|n8n[\\/]dist[\\/](middlewares[\\/]body-parser|webhooks[\\/]webhook-helpers)|n8n-core[\\/]dist[\\/]execution-engine[\\/]node-execution-context[\\/]execute-context)\.js$/
const cancelable = /[\\/]node_modules[\\/]p-cancelable[\\/]index\.js$/

function mend(source, file) {
  if (assigning.test(file)) return source.replace(assigned, '$& false ? undefined :')
  if (cancelable.test(file)) return source.replace(accessors, `Object.setPrototypeOf(onCancel, (${shared})).of = this;`)
  return source
}

/** `response.end = function …`, up to the function: V8 no longer sees one there. */
const assigned = /(\.\w+|\]) =(?= \(*(?:async )?(?:function\b|\([^()]*\) =>))/g

/** What every promise that can be cancelled defines anew, for its one property. */
const accessors = /Object\.defineProperties\(onCancel, \{\s*shouldReject: \{\s*get: \(\) => this\._rejectOnCancel,\s*set: boolean => \{\s*this\._rejectOnCancel = boolean;\s*\}\s*\}\s*\}\);/

/** The same for all of them. */
const shared = `PCancelable.canceling ??= Object.create(Function.prototype, {
  shouldReject: { get() { return this.of._rejectOnCancel }, set(value) { this.of._rejectOnCancel = value } },
})`
