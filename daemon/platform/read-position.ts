/** How far a transcript file was read. */
export interface ReadPosition {
  agent: string;
  path: string;
  /** Hash of the file's first bytes; when it changes, the path holds another file. */
  fingerprint: string;
  position: number;
  size: number;
}

export interface ReadCounts {
  records: number;
  badLines: number;
  unknown: Record<string, number>;
  lastEventAt: number | null;
}
