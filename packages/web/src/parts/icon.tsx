// Icons, drawn on a grid of 20 with one line width.

const paths = {
  tag: 'M3 10.5V4a1 1 0 0 1 1-1h6.5L17 9.5a1.5 1.5 0 0 1 0 2L11.5 17a1.5 1.5 0 0 1-2 0ZM6.8 6.8h.01',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.4-1.6L17 17',
  memory: 'M10 3a7 7 0 1 1-6.6 4.7M3 3.5v4.3h4.3M10 6.5V10l2.5 2',
  models: 'M3.5 16.5v-5M8 16.5v-9M12.5 16.5v-6M17 16.5v-13',
  check: 'm4 10.5 4 4L16.5 6',
  cross: 'm5 5 10 10M15 5 5 15',
  plus: 'M10 4v12M4 10h12',
  chevron: 'm8 5 5 5-5 5',
  undo: 'M4 8h8a4 4 0 0 1 0 8H8M4 8l3.5-3.5M4 8l3.5 3.5',
  download: 'M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M3.5 16.5h13',
  upload: 'M10 13V4m0 0 3.5 3.5M10 4 6.5 7.5M3.5 16.5h13',
  alert: 'M10 6.5v4M10 13.5h.01M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z',
  key: 'M12.5 9.5a3 3 0 1 0-2.8-1.9L3.5 14v2.5H6V15h1.5v-1.5H9l1.6-1.6',
  offline: 'M3 3l14 14M6.5 12.2a5 5 0 0 1 3-1.1M4 9.5a9 9 0 0 1 3-1.9M10.5 7A9 9 0 0 1 16 9.5M10 15h.01',
  up: 'M6 9.5 9.5 3c1.2 0 2 .9 1.8 2L11 8h4a1.5 1.5 0 0 1 1.5 1.8l-1 5A1.5 1.5 0 0 1 14 16H6M6 9.5H3.5V16H6Z',
  down: 'M14 10.5 10.5 17c-1.2 0-2-.9-1.8-2L9 12H5a1.5 1.5 0 0 1-1.5-1.8l1-5A1.5 1.5 0 0 1 6 4h8M14 10.5h2.5V4H14Z',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v5M11.5 9v5',
  like: 'M5 4h6v6H5zM9 10v5.5h6v-6h-4',
  dice: 'M4 4h12v12H4zM7.5 7.5h.01M12.5 12.5h.01M10 10h.01',
  filter: 'M3.5 5h13M6 10h8M8.5 15h3',
  keyboard: 'M2.5 6h15v8.5h-15zM5.5 9h.01M8.5 9h.01M11.5 9h.01M14.5 9h.01M7 12h6',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
