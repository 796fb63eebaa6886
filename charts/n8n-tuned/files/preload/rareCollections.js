// V8 collects its old space whenever that has grown by a third or so since the last time, and n8n answers
// nobody meanwhile. Here it may grow one and a half times as much again, up to the same limit. NODE_OPTIONS does not take the flag.
require('v8').setFlagsFromString('--heap-growing-percent=150')
