import { describe, expect, test } from '@jest/globals'
import { eachWay } from '../../support/each-way.ts'

describe('fastIsolates', () => {
  const isolate = (body: string) => `
    const { IsolatedVmBridge } = require('@n8n/expression-runtime')
    const bridge = new IsolatedVmBridge({ compileCache: true, memoryLimit: 128, timeout: 5000, logger: { debug() {} } })
    const evaluate = (code) => bridge.execute('return ' + code, { $json: { name: 'Ada' } })
    bridge.initializeSync()
    process.stdout.write(JSON.stringify(${body}), () => process.exit())`

  test('makes an isolate that is megabytes smaller', () => {
    const { plain, patched } = eachWay(
      '2.41.1',
      'fastIsolates',
      isolate('bridge.isolate.getHeapStatisticsSync().used_heap_size / 2 ** 20'),
    )
    expect((plain as number) - (patched as number)).toBeGreaterThan(2)
  })

  test('writes every letter in Latin as before, one or many at a time', () => {
    const letters = 'Array.from({ length: 65536 }, (_, code) => String.fromCharCode(code))'
    const say = (text: string) => `extend(${text}, 'replaceSpecialChars', [])`
    const { plain, patched } = eachWay(
      '2.41.1',
      'fastIsolates',
      isolate(
        `[evaluate("${say("'Straße, Жанна, 你好, 🙂'")}"), evaluate("${letters}.map((letter) => `
          + `${say('letter')}).join('|')")]`,
      ),
    )
    expect(patched).toEqual(plain)
    expect((patched as string[])[0]).toMatch(/^Strasse, Zhanna, /)
  })

  test('leaves other expressions as they are', () => {
    const { plain, patched } = eachWay(
      '2.41.1',
      'fastIsolates',
      isolate(
        `[evaluate("this.$json.name"), evaluate("DateTime.fromMillis(0).toUTC().toFormat('cccc, d LLLL yyyy')")]`,
      ),
    )
    expect(patched).toEqual(plain)
    expect(patched).toEqual(['Ada', 'Thursday, 1 January 1970'])
  })

  test('changes the runtime also where n8n does not wait for the file, as n8n 1 does', () => {
    const { plain, patched } = eachWay(
      '2.41.1',
      'fastIsolates',
      `
      const fs = require('fs')
      const file = require('path').join(require.resolve('@n8n/expression-runtime'), '../../bundle/runtime.iife.js')
      void fs.promises.readFile(file, 'utf-8').then((text) => {
        const same = text === fs.readFileSync(file, 'utf-8')
        console.log(JSON.stringify({ same, length: text.length }))
      })`,
    )
    expect([plain, patched]).toMatchObject([{ same: true }, { same: true }])
    expect(patched).not.toEqual(plain)
  })
})
