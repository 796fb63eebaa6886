import type { ServiceAnswer, Asking } from './asking.ts'
import { sampleFile, typeOf } from './files.ts'

/** What a file of Drive is: its content with `alt=media`, else what Google knows of it. */
export function driveFile({ path, query }: Asking): ServiceAnswer {
  if (query.get('alt') === 'media') return { headers: { 'content-type': typeOf('pdf')! }, body: sampleFile('pdf') }
  const id = path.split('/').at(-1)!
  return {
    body: {
      kind: 'drive#file',
      id,
      name: 'sample.pdf',
      mimeType: 'application/pdf',
      size: '731',
      createdTime: '2026-01-31T09:30:00.000Z',
      modifiedTime: '2026-01-31T09:30:00.000Z',
      webViewLink: `https://drive.google.com/file/d/${id}/view`,
      webContentLink: `https://drive.google.com/uc?id=${id}`,
      parents: ['root'],
      owners: [{ displayName: 'Ada Lovelace', emailAddress: 'ada.lovelace@example.com' }],
    },
  }
}

const lines = [
  'From: Ada Lovelace <ada.lovelace@example.com>',
  'To: mock@example.com',
  'Subject: A sample title',
  'Message-ID: <mock@example.com>',
  'Date: Sat, 31 Jan 2026 09:30:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'A sample text about a notebook.',
]

/** A mail in the form that the node asks for. */
export function gmailMessage({ path, query }: Asking): ServiceAnswer {
  const known = {
    id: path.split('/').at(-1)!,
    threadId: 'mock',
    labelIds: ['INBOX', 'UNREAD'],
    snippet: 'A sample text about a notebook.',
    sizeEstimate: 1200,
    historyId: '1',
    internalDate: '1769852400000',
  }
  if (query.get('format') === 'raw')
    return { body: { ...known, raw: Buffer.from(lines.join('\r\n')).toString('base64url') } }
  return {
    body: {
      ...known,
      payload: {
        partId: '',
        mimeType: 'text/plain',
        filename: '',
        headers: lines
          .slice(0, 5)
          .map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 2) })),
        body: { size: 31, data: Buffer.from(lines.at(-1)!).toString('base64url') },
      },
    },
  }
}

/** A draft is a mail with a number of its own. */
export function gmailDraft(asking: Asking): ServiceAnswer {
  const { body } = gmailMessage(asking)
  return { body: { id: asking.path.split('/').at(-1)!, message: { ...(body as object), labelIds: ['DRAFT'] } } }
}

/** Each calendar that is asked for has time. */
export function calendarFree({ body }: Asking): ServiceAnswer {
  const { items = [] } = body as { items?: { id: string }[] }
  return {
    body: { kind: 'calendar#freeBusy', calendars: Object.fromEntries(items.map(({ id }) => [id, { busy: [] }])) },
  }
}
