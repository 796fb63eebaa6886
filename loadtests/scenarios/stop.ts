/** When a load on somebody else's n8n ends by itself. It needs neither k6 nor Node: k6 stops by it, and the lab tells. */

/** More than this share of the answers are errors. */
export const most = 0.1
/** Right answers that are counted from the start, so that one early error is no share yet. */
export const ahead = 20

export const isTooWrong = (wrong: number, answers: number): boolean => wrong > most * (answers + ahead)
