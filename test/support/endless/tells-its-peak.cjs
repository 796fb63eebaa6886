// Says at the end of a process the most memory that it ever had.
process.on('exit', () => require('node:fs').writeSync(2, `peak ${process.resourceUsage().maxRSS * 1024}\n`))
