import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { byName } from '../../../lib/json.ts'
import { paths } from '../../../lib/paths.ts'
import type { Asking, ServiceAnswer } from './asking.ts'

const types = byName<[type: string, file: string]>({
  html: ['text/html; charset=utf-8', 'sample.html'],
  htm: ['text/html; charset=utf-8', 'sample.html'],
  xml: ['application/xml; charset=utf-8', 'sample.xml'],
  rss: ['application/rss+xml; charset=utf-8', 'sample.xml'],
  csv: ['text/csv; charset=utf-8', 'sample.csv'],
  txt: ['text/plain; charset=utf-8', 'sample.txt'],
  md: ['text/markdown; charset=utf-8', 'sample.txt'],
  json: ['application/json; charset=utf-8', 'sample.json'],
  pdf: ['application/pdf', 'sample.pdf'],
  png: ['image/png', 'sample.png'],
  jpg: ['image/png', 'sample.png'],
  jpeg: ['image/png', 'sample.png'],
  webp: ['image/png', 'sample.png'],
  gif: ['image/png', 'sample.png'],
  mp3: ['audio/mpeg', 'sample.mp3'],
  wav: ['audio/mpeg', 'sample.mp3'],
  ogg: ['audio/mpeg', 'sample.mp3'],
  oga: ['audio/mpeg', 'sample.mp3'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sample.xlsx'],
})

const read = new Map<string, Buffer>()

/** The type of a file by the ending of its name; undefined where there is no sample of that kind. */
export const typeOf = (ending: string): string | undefined => types[ending]?.[0]

export function sampleFile(ending: string): Buffer {
  const [, name] = types[ending] ?? types.txt!
  const known = read.get(name) ?? readFileSync(join(paths.samples, name))
  read.set(name, known)
  return known
}

export const samplePath = (ending: string): string => join(paths.samples, (types[ending] ?? types.txt!)[1])

/** What S3 says of a bucket: where it is, or its files. */
export function s3Bucket({ query }: Asking): ServiceAnswer {
  const of = (name: string, content: string) =>
    '<?xml version="1.0" encoding="UTF-8"?>'
    + `<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`
  const file =
    '<Key>sample.pdf</Key><LastModified>2026-01-31T09:30:00.000Z</LastModified><ETag>"mock"</ETag><Size>731</Size>'
  return {
    headers: { 'content-type': 'application/xml' },
    body: query.has('location')
      ? of('LocationConstraint', 'us-east-1')
      : of('ListBucketResult', `<IsTruncated>false</IsTruncated><Contents>${file}</Contents>`),
  }
}
