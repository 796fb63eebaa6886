'use strict'
// Loaded into n8n before anything else: a regression that is made up. Each webhook burns such a share (MORE) of all
// the CPU time that the process took since the one before.
const { Server } = require('node:http')

const share = Number(process.env.MORE)
const { emit } = Server.prototype
let seen = null

function taken() {
  const { user, system } = process.cpuUsage()
  return user + system
}

Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'request' && request.url.startsWith('/webhook')) {
    const now = taken()
    const end = now + share * (now - (seen ?? now))
    while (taken() < end);
    seen = taken()
  }
  return emit.call(this, event, request, ...rest)
}
