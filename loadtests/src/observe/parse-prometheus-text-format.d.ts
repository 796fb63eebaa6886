declare module 'parse-prometheus-text-format' {
  export default function parse(text: string): { name: string; metrics: { value?: string; labels?: Record<string, string> }[] }[]
}
