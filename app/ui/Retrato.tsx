import './Retrato.css';

/** The picture of a product beside its facts (`lado` in px: 40 in a row of a table), or a drawn one in its place. The name stands beside it, so it says nothing to who does not see it. */
export function Retrato({ foto, lado = 96 }: { foto: string | null; lado?: 40 | 96 }) {
  const chico = lado === 40 ? '' : undefined;
  if (foto !== null)
    return (
      <img
        className="retrato"
        data-chico={chico}
        src={foto}
        alt=""
        width={lado}
        height={lado}
        loading="lazy"
        decoding="async"
      />
    );
  return (
    <span className="retrato" data-chico={chico} aria-hidden="true">
      <svg viewBox="0 0 40 40">
        <path d="M6 13 20 6l14 7v15L20 35 6 28zM6 13l14 7 14-7M20 20v15" />
      </svg>
    </span>
  );
}
