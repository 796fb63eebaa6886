import type { Answered, Asking, Hint } from './asking.ts'
import { sampleFile, typeOf } from './files.ts'
import { driveFile, gmailMessage } from './google.ts'
import {
  anthropicMessages,
  cohereChat,
  geminiContent,
  geminiEmbeddings,
  ollama,
  ollamaEmbeddings,
  openAiChat,
  openAiCompletion,
  openAiEmbeddings,
  openAiResponse,
} from './models.ts'
import {
  airtableRecords,
  googleBatch,
  pineconeIndexes,
  postgrestRows,
  sheetsOf,
  sheetValues,
  vectorMatches,
  vectorPoints,
} from './tables.ts'

/** Answers that take code, by the name with which a file of loadtests/services asks for them. */
export const answers: Record<string, (asking: Asking, hints: Hint[]) => Answered> = {
  file: ({ path }) => {
    const ending = path.split('.').at(-1) ?? 'txt'
    return { headers: { 'content-type': typeOf(ending) ?? 'text/plain' }, body: sampleFile(ending) }
  },
  'openai.chat': openAiChat,
  'openai.completion': openAiCompletion,
  'openai.response': openAiResponse,
  'openai.embeddings': openAiEmbeddings,
  'anthropic.messages': anthropicMessages,
  'gemini.content': geminiContent,
  'gemini.embeddings': geminiEmbeddings,
  'ollama.answer': ollama,
  'ollama.embeddings': ollamaEmbeddings,
  'cohere.chat': cohereChat,
  'sheets.values': sheetValues,
  'sheets.sheets': sheetsOf,
  'pinecone.indexes': pineconeIndexes,
  'airtable.records': airtableRecords,
  'postgrest.rows': postgrestRows,
  'vectors.matches': vectorMatches,
  'vectors.points': vectorPoints,
  'google.batch': googleBatch,
  'drive.file': driveFile,
  'gmail.message': gmailMessage,
}
