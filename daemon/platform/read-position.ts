/** How far a transcript file was read. */
export interface ReadPosition {
  agent: string;
  path: string;
  /** Of the file's first bytes: when it changes, another file stands under this name. */
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
