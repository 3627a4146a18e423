/** The microphone: records, and plays back what it recorded. */

import { useEffect, useRef, useState } from "react";

export interface Recorder {
  state: "idle" | "recording" | "recorded" | "missing" | "denied";
  recording: Blob | null;
  start: () => void;
  stop: () => void;
  play: () => void;
}

export function useRecorder(): Recorder {
  const [state, setState] = useState<Recorder["state"]>(canRecord() ? "idle" : "missing");
  const [recording, setRecording] = useState<Blob | null>(null);
  const running = useRef<MediaRecorder | null>(null);
  useEffect(
    () => () => {
      if (running.current !== null) release(running.current);
    },
    [],
  );
  const start = async (): Promise<void> => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const recorder = new MediaRecorder(stream);
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => {
      parts.push(data);
    };
    recorder.onstop = () => {
      setRecording(new Blob(parts, { type: recorder.mimeType }));
      setState("recorded");
      release(recorder);
    };
    running.current = recorder;
    recorder.start();
    setState("recording");
  };
  return {
    state,
    recording,
    start: () => {
      start().catch(() => {
        setState("denied");
      });
    },
    stop: () => {
      if (running.current?.state === "recording") running.current.stop();
    },
    play: () => {
      if (recording !== null) void playBack(recording);
    },
  };
}

/** Where the browser gives no microphone (an address that is not safe, an old browser), one types. */
function canRecord(): boolean {
  return "MediaRecorder" in window && "mediaDevices" in navigator;
}

function release({ stream }: MediaRecorder): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Not by an audio element: the content policy lets those play only what comes from the server. */
async function playBack(recording: Blob): Promise<void> {
  const context = new AudioContext();
  const source = context.createBufferSource();
  source.buffer = await context.decodeAudioData(await recording.arrayBuffer());
  source.connect(context.destination);
  source.onended = () => void context.close();
  source.start();
}

/** A name for a recording that says what it is. */
export function recordingName({ type }: Blob): string {
  const ending = /audio\/(\w+)/.exec(type)?.[1] ?? "webm";
  return `recording.${ending === "mpeg" ? "mp3" : ending}`;
}
