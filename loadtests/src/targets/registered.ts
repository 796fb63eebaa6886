/** n8n's own answer for a path that it does not know, or not yet; of a form, a page. */
const unregistered = /not registered|Cannot (GET|POST|PUT|PATCH|DELETE)|starting up|<!DOCTYPE html>/i

/** Whether an answer says that no workflow has that path: nothing was executed. */
export const isUnregistered = ({ status, text }: { status: number; text: string }): boolean =>
  status === 404 && (text === '' || unregistered.test(text))
