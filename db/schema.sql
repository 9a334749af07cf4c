-- The schema that the migrations leave, for reading; the migrations make the database.
-- Written by `npm run db:types`. Tables, indexes, functions and triggers are in the order of their names.

create extension pg_trgm;
create extension unaccent;

create table agente_venta (
  id uuid default uuidv7() not null,
  nombre text not null,
  apellidos text not null,
  email text not null,
  proveedor text not null,
  activo boolean default true not null,
  fecha_creacion timestamp with time zone default now() not null,
  version integer default 1 not null,
  proveedor_nombre text default ''::text not null,
  busqueda text generated always as (f_norm(((((((((proveedor || ' '::text) || proveedor_nombre) || ' '::text) || nombre) || ' '::text) || apellidos) || ' '::text) || email))) stored,
  telefono text,
  constraint agente_venta_pkey PRIMARY KEY (id),
  constraint agente_venta_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);
CREATE TRIGGER agente_venta_proveedor BEFORE INSERT OR UPDATE OF proveedor ON agente_venta FOR EACH ROW EXECUTE FUNCTION nombre_of_proveedor();

create table ajuste (
  clave text not null,
  valor jsonb not null,
  actualizado_en timestamp with time zone default now() not null,
  constraint ajuste_pkey PRIMARY KEY (clave)
);

create table amazon_cola (
  cuenta text not null,
  avisos integer default 0 not null,
  error text,
  leida_en timestamp with time zone,
  suscrita text,
  constraint amazon_cola_pkey PRIMARY KEY (cuenta),
  constraint amazon_cola_avisos_check CHECK (avisos >= 0)
);

create table amazon_eventos (
  cuenta text not null,
  name_resource text not null,
  arn text,
  suscripciones integer not null,
  constraint amazon_eventos_pkey PRIMARY KEY (cuenta),
  constraint amazon_eventos_suscripciones_check CHECK (suscripciones >= 0)
);

create table aplicacion (
  id uuid default uuidv7() not null,
  bytes integer default 0 not null,
  subida_por uuid not null,
  creada_en timestamp with time zone default now() not null,
  lista_en timestamp with time zone,
  formato text,
  paquete text,
  version text,
  codigo text,
  sha256 bytea,
  constraint aplicacion_pkey PRIMARY KEY (id),
  constraint aplicacion_bytes_check CHECK (bytes >= 0),
  constraint aplicacion_check CHECK ((lista_en IS NULL) = (formato IS NULL)),
  constraint aplicacion_check1 CHECK ((lista_en IS NULL) = (sha256 IS NULL)),
  constraint aplicacion_formato_check CHECK (formato = ANY (ARRAY['apk'::text, 'aab'::text])),
  constraint aplicacion_subida_por_fkey FOREIGN KEY (subida_por) REFERENCES usuario(id)
);
CREATE INDEX aplicacion_by_lista ON public.aplicacion USING btree (lista_en DESC) WHERE (lista_en IS NOT NULL);

create table aplicacion_pieza (
  aplicacion_id uuid not null,
  posicion integer not null,
  contenido bytea not null,
  constraint aplicacion_pieza_pkey PRIMARY KEY (aplicacion_id, posicion),
  constraint aplicacion_pieza_posicion_check CHECK (posicion >= 0),
  constraint aplicacion_pieza_aplicacion_id_fkey FOREIGN KEY (aplicacion_id) REFERENCES aplicacion(id) ON DELETE CASCADE
);

create table archivo (
  id uuid default uuidv7() not null,
  nombre text not null,
  tipo text not null,
  bytes integer not null,
  sha256 bytea not null,
  contenido bytea not null,
  creado_en timestamp with time zone default now() not null,
  constraint archivo_pkey PRIMARY KEY (id),
  constraint archivo_bytes_check CHECK (bytes >= 0)
);
CREATE INDEX archivo_by_sha256 ON public.archivo USING btree (sha256);

create table articulo (
  id uuid default uuidv7() not null,
  orden_id uuid not null,
  posicion smallint not null,
  item_id text,
  nombre text not null,
  sku text,
  proveedor text generated always as (NULLIF(split_part(sku, '|'::text, 3), ''::text)) stored,
  modelo text generated always as (NULLIF(split_part(sku, '|'::text, 4), ''::text)) stored,
  cantidad integer not null,
  importe numeric(14,2) not null,
  precio_unitario numeric(18,6) not null,
  tasa_iva numeric(7,6) default 0.16 not null,
  comision numeric(14,2),
  constraint articulo_pkey PRIMARY KEY (id),
  constraint articulo_orden_id_posicion_key UNIQUE (orden_id, posicion),
  constraint articulo_cantidad_check CHECK (cantidad > 0),
  constraint articulo_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE
);
CREATE INDEX articulo_by_modelo ON public.articulo USING btree (lower(modelo), orden_id) WHERE (modelo IS NOT NULL);
CREATE INDEX articulo_by_sku ON public.articulo USING btree (lower(sku), orden_id) WHERE (sku IS NOT NULL);
CREATE INDEX articulo_otra_tasa ON public.articulo USING btree (orden_id) WHERE (tasa_iva <> 0.16);
CREATE TRIGGER articulo_moved AFTER INSERT ON articulo REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION articulo_moved();
CREATE TRIGGER articulo_posted_added AFTER INSERT ON articulo REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_articulos();
CREATE TRIGGER articulo_posted_changed AFTER UPDATE ON articulo REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_articulos();
CREATE TRIGGER articulo_posted_removed AFTER DELETE ON articulo REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION libro_of_articulos();
CREATE TRIGGER articulo_proveedor_added AFTER INSERT ON articulo REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION proveedor_of_orden();
CREATE TRIGGER articulo_proveedor_changed AFTER UPDATE ON articulo REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION proveedor_of_orden();

create table asiento (
  id bigint generated always as identity not null,
  orden_id uuid not null,
  renglon text not null,
  de text not null,
  a text not null,
  importe numeric(14,2) not null,
  cierto boolean not null,
  fuente text not null,
  ocurrio timestamp with time zone not null,
  supimos timestamp with time zone default now() not null,
  constraint asiento_pkey PRIMARY KEY (id),
  constraint asiento_check CHECK (de <> a),
  constraint asiento_fuente_check CHECK (fuente = ANY (ARRAY['mercado'::text, 'tarifa'::text, 'liquidacion'::text, 'envio'::text, 'factura'::text, 'pedido'::text, 'pieza'::text, 'nota'::text, 'retiro'::text, 'producto'::text, 'catalogo'::text, 'estimacion'::text])),
  constraint asiento_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE
);
CREATE INDEX asiento_by_orden ON public.asiento USING btree (orden_id, id);
CREATE INDEX asiento_vendido ON public.asiento USING btree (orden_id) INCLUDE (de, a, importe) WHERE ((de = 'venta'::text) OR (a = ANY (ARRAY['envio'::text, 'venta'::text])));

create table aviso_plazo (
  reclamo_id uuid not null,
  vence_en timestamp with time zone not null,
  horas integer not null,
  avisado_en timestamp with time zone default now() not null,
  constraint aviso_plazo_pkey PRIMARY KEY (reclamo_id, vence_en, horas),
  constraint aviso_plazo_horas_check CHECK (horas = ANY (ARRAY[48, 24, 4, 0])),
  constraint aviso_plazo_reclamo_id_fkey FOREIGN KEY (reclamo_id) REFERENCES reclamo(id) ON DELETE CASCADE
);

create table batch (
  id uuid default uuidv7() not null,
  type text not null,
  label text not null,
  total integer not null,
  usuario_id uuid,
  created_at timestamp with time zone default now() not null,
  clave text default ''::text not null,
  constraint batch_pkey PRIMARY KEY (id),
  constraint batch_total_check CHECK (total >= 0),
  constraint batch_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX batch_by_clave ON public.batch USING btree (type, clave, id DESC) WHERE (clave <> ''::text);

create table bitacora (
  id bigint generated always as identity not null,
  en timestamp with time zone default now() not null,
  usuario_id uuid,
  entidad text not null,
  entidad_id text not null,
  accion text not null,
  datos jsonb default '{}'::jsonb not null,
  constraint bitacora_pkey PRIMARY KEY (id),
  constraint bitacora_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX bitacora_by_entidad ON public.bitacora USING btree (entidad, entidad_id, id);
CREATE TRIGGER bitacora_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON bitacora FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table bodega_envio (
  clave uuid not null,
  usuario_id uuid not null,
  respuesta jsonb not null,
  en timestamp with time zone default now() not null,
  constraint bodega_envio_pkey PRIMARY KEY (clave),
  constraint bodega_envio_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);

create table cancelacion (
  id uuid default uuidv7() not null,
  factura_id uuid not null,
  effect_id uuid not null,
  motivo text not null,
  sustituto_id uuid,
  estado text default 'solicitada'::text not null,
  respuesta text,
  acuse_id uuid,
  usuario_id uuid,
  pedida_en timestamp with time zone default now() not null,
  revisada_en timestamp with time zone,
  resuelta_en timestamp with time zone,
  vista_en timestamp with time zone,
  constraint cancelacion_pkey PRIMARY KEY (id),
  constraint cancelacion_effect_id_key UNIQUE (effect_id),
  constraint cancelacion_check CHECK ((motivo = '01'::text) = (sustituto_id IS NOT NULL)),
  constraint cancelacion_check1 CHECK ((estado = ANY (ARRAY['cancelada'::text, 'rechazada'::text])) = (resuelta_en IS NOT NULL)),
  constraint cancelacion_estado_check CHECK (estado = ANY (ARRAY['solicitada'::text, 'enProceso'::text, 'cancelada'::text, 'rechazada'::text])),
  constraint cancelacion_motivo_check CHECK (motivo = ANY (ARRAY['01'::text, '02'::text, '03'::text, '04'::text])),
  constraint cancelacion_acuse_id_fkey FOREIGN KEY (acuse_id) REFERENCES archivo(id),
  constraint cancelacion_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id),
  constraint cancelacion_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id),
  constraint cancelacion_sustituto_id_fkey FOREIGN KEY (sustituto_id) REFERENCES factura(id),
  constraint cancelacion_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX cancelacion_by_factura ON public.cancelacion USING btree (factura_id, id);
CREATE INDEX cancelacion_open ON public.cancelacion USING btree (revisada_en) WHERE (estado = 'enProceso'::text);
CREATE INDEX cancelacion_rechazada ON public.cancelacion USING btree (resuelta_en) WHERE (estado = 'rechazada'::text);
CREATE INDEX cancelacion_solicitada ON public.cancelacion USING btree (pedida_en) WHERE (estado = 'solicitada'::text);
CREATE UNIQUE INDEX one_open_cancelacion ON public.cancelacion USING btree (factura_id) WHERE (estado = ANY (ARRAY['solicitada'::text, 'enProceso'::text]));

create table catalogo_pausa (
  id uuid default uuidv7() not null,
  proveedor text not null,
  producto_id uuid,
  empezo_en timestamp with time zone default now() not null,
  termino_en timestamp with time zone,
  minutos integer not null,
  dato_de timestamp with time zone,
  productos integer not null,
  constraint catalogo_pausa_pkey PRIMARY KEY (id),
  constraint catalogo_pausa_check CHECK (termino_en IS NULL OR termino_en >= empezo_en),
  constraint catalogo_pausa_productos_check CHECK (productos >= 0),
  constraint catalogo_pausa_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE,
  constraint catalogo_pausa_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value) ON DELETE CASCADE
);
CREATE INDEX catalogo_pausa_by_proveedor ON public.catalogo_pausa USING btree (proveedor, empezo_en DESC);
CREATE UNIQUE INDEX catalogo_pausa_producto_abierta ON public.catalogo_pausa USING btree (producto_id) WHERE ((producto_id IS NOT NULL) AND (termino_en IS NULL));
CREATE UNIQUE INDEX catalogo_pausa_proveedor_abierta ON public.catalogo_pausa USING btree (proveedor) WHERE ((producto_id IS NULL) AND (termino_en IS NULL));
CREATE TRIGGER catalogo_pausa_moved AFTER INSERT OR UPDATE ON catalogo_pausa FOR EACH ROW EXECUTE FUNCTION proveedor_moved();

create table catalogo_proveedor (
  proveedor text not null,
  frescura_min integer default 720 not null,
  fresca_de timestamp with time zone,
  tipo_cambio numeric(18,6),
  tipo_cambio_en timestamp with time zone,
  version integer default 1 not null,
  constraint catalogo_proveedor_pkey PRIMARY KEY (proveedor),
  constraint catalogo_proveedor_check CHECK ((tipo_cambio IS NULL) = (tipo_cambio_en IS NULL)),
  constraint catalogo_proveedor_frescura_min_check CHECK (frescura_min >= 5 AND frescura_min <= 43200),
  constraint catalogo_proveedor_tipo_cambio_check CHECK (tipo_cambio > 0::numeric),
  constraint catalogo_proveedor_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value) ON DELETE CASCADE
);
CREATE TRIGGER catalogo_proveedor_moved AFTER UPDATE ON catalogo_proveedor FOR EACH ROW EXECUTE FUNCTION proveedor_moved();

create table catalogo_visto (
  lectura_id uuid not null,
  tramo integer not null,
  ids text[] not null,
  rastros text[] default '{}'::text[] not null,
  constraint catalogo_visto_pkey1 PRIMARY KEY (lectura_id, tramo),
  constraint catalogo_visto_lectura_id_fkey1 FOREIGN KEY (lectura_id) REFERENCES lectura_catalogo(id) ON DELETE CASCADE
);

create table categoria (
  market text not null,
  categoria_id text not null,
  nombre text not null,
  ruta text[] default '{}'::text[] not null,
  ruta_ids text[] default '{}'::text[] not null,
  leida_en timestamp with time zone default now() not null,
  constraint categoria_pkey PRIMARY KEY (market, categoria_id),
  constraint categoria_categoria_id_check CHECK (categoria_id <> ''::text),
  constraint categoria_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
);

create table categoria_formulario (
  market text not null,
  categoria_id text not null,
  formulario jsonb not null,
  leido_en timestamp with time zone default now() not null,
  constraint categoria_formulario_pkey PRIMARY KEY (market, categoria_id),
  constraint categoria_formulario_categoria_id_check CHECK (categoria_id <> ''::text),
  constraint categoria_formulario_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
);

create table cfdi_por_adoptar (
  num_orden text not null,
  uuid text not null,
  folio text not null,
  constraint cfdi_por_adoptar_pkey PRIMARY KEY (num_orden, uuid)
);

create table clave_api (
  id uuid default uuidv7() not null,
  usuario_id uuid not null,
  nombre text not null,
  clave_hash bytea not null,
  pista text not null,
  creada_en timestamp with time zone default now() not null,
  usada_en timestamp with time zone,
  revocada_en timestamp with time zone,
  constraint clave_api_pkey PRIMARY KEY (id),
  constraint clave_api_clave_hash_key UNIQUE (clave_hash),
  constraint clave_api_nombre_check CHECK (length(nombre) >= 1 AND length(nombre) <= 60),
  constraint clave_api_pista_check CHECK (length(pista) <= 12),
  constraint clave_api_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX clave_api_by_usuario ON public.clave_api USING btree (usuario_id, id);

create table cliente_fiscal (
  id uuid default uuidv7() not null,
  rfc text not null,
  razon_social text not null,
  cp text not null,
  regimen text not null,
  emails text[] default '{}'::text[] not null,
  uso_cfdi text,
  telefono text,
  nombre text,
  apellidos text,
  calle text,
  numero_exterior text,
  numero_interior text,
  colonia text,
  ciudad text,
  delegacion text,
  estado text,
  pais text default 'MEX'::text not null,
  uid text,
  fecha_creacion timestamp with time zone default now() not null,
  actualizado_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  busqueda text generated always as (f_norm(((((((rfc || ' '::text) || razon_social) || ' '::text) || cp) || ' '::text) || COALESCE(telefono, ''::text)))) stored,
  constraint cliente_fiscal_pkey PRIMARY KEY (id),
  constraint cliente_fiscal_rfc_razon_social_key UNIQUE (rfc, razon_social),
  constraint cliente_fiscal_uid_key UNIQUE (uid),
  constraint cliente_fiscal_rfc_check CHECK (rfc = upper(rfc))
);
CREATE INDEX cliente_fiscal_by_fecha ON public.cliente_fiscal USING btree (fecha_creacion DESC, id DESC);
CREATE INDEX cliente_fiscal_correos ON public.cliente_fiscal USING gin (f_correos(emails));
CREATE INDEX cliente_fiscal_search ON public.cliente_fiscal USING gin (busqueda gin_trgm_ops);

create table cliente_publico (
  uid text not null,
  rfc text not null,
  razon_social text not null,
  cp text not null,
  regimen text not null,
  creado_en timestamp with time zone default now() not null,
  id uuid default uuidv7() not null,
  busqueda text generated always as (f_norm(((((rfc || ' '::text) || razon_social) || ' '::text) || cp))) stored,
  constraint cliente_publico_pkey PRIMARY KEY (uid),
  constraint cliente_publico_id_key UNIQUE (id),
  constraint cliente_publico_rfc_razon_social_cp_regimen_key UNIQUE (rfc, razon_social, cp, regimen)
);
CREATE INDEX cliente_publico_by_fecha ON public.cliente_publico USING btree (creado_en DESC, id DESC);
CREATE INDEX cliente_publico_search ON public.cliente_publico USING gin (busqueda gin_trgm_ops);

create table codigo_de_primera (
  codigo_hash bytea not null,
  fallos integer default 0 not null,
  vence_en timestamp with time zone not null,
  constraint codigo_de_primera_pkey PRIMARY KEY (codigo_hash),
  constraint codigo_de_primera_fallos_check CHECK (fallos >= 0)
);

create table codigo_postal (
  cp text not null,
  asentamiento text not null,
  tipo text not null,
  municipio text not null,
  ciudad text not null,
  estado text not null,
  origen text not null,
  constraint codigo_postal_pkey PRIMARY KEY (cp, asentamiento, tipo),
  constraint codigo_postal_cp_check CHECK (cp ~ '^\d{5}$'::text),
  constraint codigo_postal_origen_check CHECK (origen = ANY (ARRAY['sepomex'::text, 'demo'::text]))
);

create table codigo_postal_consulta (
  cp text not null,
  lugar jsonb,
  consultado_en timestamp with time zone default now() not null,
  constraint codigo_postal_consulta_pkey PRIMARY KEY (cp),
  constraint codigo_postal_consulta_cp_check CHECK (cp ~ '^\d{5}$'::text)
);

create table codigo_recuperacion (
  usuario_id uuid not null,
  codigo_hash bytea not null,
  usado_en timestamp with time zone,
  constraint codigo_recuperacion_pkey PRIMARY KEY (usuario_id, codigo_hash),
  constraint codigo_recuperacion_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES segundo_factor(usuario_id) ON DELETE CASCADE
);

create table codigo_sat_sku (
  sku text not null,
  codigo_sat text not null,
  actualizado_en timestamp with time zone default now() not null,
  constraint codigo_sat_sku_pkey PRIMARY KEY (sku),
  constraint codigo_sat_sku_codigo_sat_check CHECK (codigo_sat ~ '^[0-9]{8}$'::text)
);

create table columnas_de_lista (
  usuario_id uuid not null,
  lista text not null,
  columnas text not null,
  constraint columnas_de_lista_pkey PRIMARY KEY (usuario_id, lista),
  constraint columnas_de_lista_columnas_check CHECK (length(columnas) >= 1 AND length(columnas) <= 2000),
  constraint columnas_de_lista_lista_check CHECK (length(lista) >= 1 AND length(lista) <= 60),
  constraint columnas_de_lista_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);

create table comision_estimada (
  market text not null,
  sku text not null,
  del_mercado boolean not null,
  precio numeric(14,2) not null,
  envio numeric(14,2) not null,
  dicha numeric(14,2),
  comision numeric(14,2),
  dicha_en timestamp with time zone,
  error text,
  error_en timestamp with time zone,
  negada smallint default 0 not null,
  pedir_en timestamp with time zone default now() not null,
  constraint comision_estimada_pkey PRIMARY KEY (market, sku, del_mercado, precio, envio),
  constraint comision_estimada_check CHECK ((dicha IS NULL) = (dicha_en IS NULL) AND (dicha IS NULL) = (comision IS NULL)),
  constraint comision_estimada_check1 CHECK ((error IS NULL) = (error_en IS NULL)),
  constraint comision_estimada_comision_check CHECK (comision >= 0::numeric),
  constraint comision_estimada_dicha_check CHECK (dicha >= 0::numeric),
  constraint comision_estimada_envio_check CHECK (envio >= 0::numeric),
  constraint comision_estimada_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint comision_estimada_negada_check CHECK (negada >= 0),
  constraint comision_estimada_precio_check CHECK (precio > 0::numeric),
  constraint comision_estimada_sku_check CHECK (sku <> ''::text)
);

create table comprador_fiscal (
  market text not null,
  billing_info_id text not null,
  rfc text,
  razon_social text,
  regimen text,
  uso_cfdi text,
  cp text,
  leido_en timestamp with time zone default now() not null,
  constraint comprador_fiscal_pkey PRIMARY KEY (market, billing_info_id),
  constraint comprador_fiscal_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
);

create table conciliacion (
  orden_id uuid not null,
  market text not null,
  fecha timestamp with time zone not null,
  deposito_id uuid,
  movimientos integer not null,
  e_cobrado numeric(14,2) not null,
  e_comision numeric(14,2) not null,
  e_envio numeric(14,2) not null,
  e_retencion numeric(14,2) not null,
  r_cobrado numeric(14,2) not null,
  r_devuelto numeric(14,2) not null,
  r_comision numeric(14,2) not null,
  r_envio numeric(14,2) not null,
  r_iva numeric(14,2) not null,
  r_isr numeric(14,2) not null,
  r_retencion numeric(14,2) not null,
  r_otros numeric(14,2) not null,
  completa boolean not null,
  esperado numeric(14,2) generated always as ((((e_cobrado + e_comision) + e_envio) + e_retencion)) stored,
  recibido numeric(14,2) generated always as ((((((((r_cobrado + r_devuelto) + r_comision) + r_envio) + r_iva) + r_isr) + r_retencion) + r_otros)) stored,
  d_cobrado numeric(14,2) generated always as (((r_cobrado + r_devuelto) - e_cobrado)) stored,
  d_comision numeric(14,2) generated always as ((r_comision - e_comision)) stored,
  d_envio numeric(14,2) generated always as ((r_envio - e_envio)) stored,
  d_retencion numeric(14,2) generated always as ((((r_iva + r_isr) + r_retencion) - e_retencion)) stored,
  diferencia numeric(14,2) generated always as (((((((((r_cobrado + r_devuelto) + r_comision) + r_envio) + r_iva) + r_isr) + r_retencion) + r_otros) - (((e_cobrado + e_comision) + e_envio) + e_retencion))) stored,
  mayor numeric(14,2) generated always as (GREATEST(abs(((r_cobrado + r_devuelto) - e_cobrado)), abs((r_comision - e_comision)), abs((r_envio - e_envio)), abs((((r_iva + r_isr) + r_retencion) - e_retencion)), abs(r_otros))) stored,
  motivo text,
  reclamado_en timestamp with time zone,
  reclamado_por uuid,
  calculada_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  constraint conciliacion_pkey PRIMARY KEY (orden_id),
  constraint conciliacion_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint conciliacion_deposito_id_fkey FOREIGN KEY (deposito_id) REFERENCES deposito(id),
  constraint conciliacion_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id),
  constraint conciliacion_reclamado_por_fkey FOREIGN KEY (reclamado_por) REFERENCES usuario(id)
);
CREATE INDEX conciliacion_by_deposito ON public.conciliacion USING btree (deposito_id);
CREATE INDEX conciliacion_by_fecha ON public.conciliacion USING btree (fecha DESC, orden_id DESC) INCLUDE (mayor, esperado, recibido, diferencia);
CREATE INDEX conciliacion_by_mayor ON public.conciliacion USING btree (mayor DESC, orden_id DESC);

create table conciliacion_regla (
  unica boolean default true not null,
  tolerancia numeric(14,2) default 1 not null,
  dias integer default 3 not null,
  version integer default 1 not null,
  constraint conciliacion_regla_pkey PRIMARY KEY (unica),
  constraint conciliacion_regla_dias_check CHECK (dias >= 1 AND dias <= 60),
  constraint conciliacion_regla_tolerancia_check CHECK (tolerancia >= 0::numeric),
  constraint conciliacion_regla_unica_check CHECK (unica)
);

create table condicion (
  clave text not null,
  nivel text not null,
  texto text not null,
  remedio text not null,
  pantalla text,
  desde timestamp with time zone default now() not null,
  vista_en timestamp with time zone default now() not null,
  constraint condicion_pkey PRIMARY KEY (clave),
  constraint condicion_nivel_check CHECK (nivel = ANY (ARRAY['aviso'::text, 'grave'::text]))
);

create table connection (
  kind text not null,
  account text default ''::text not null,
  paused_at timestamp with time zone,
  account_problem text,
  account_since timestamp with time zone,
  account_tries integer default 0 not null,
  account_until timestamp with time zone,
  account_trial_at timestamp with time zone,
  tokens double precision default 'Infinity'::double precision not null,
  refilled_at timestamp with time zone default now() not null,
  constraint connection_pkey PRIMARY KEY (kind, account),
  constraint connection_check CHECK ((account_problem IS NULL) = (account_since IS NULL)),
  constraint connection_check1 CHECK ((account_problem IS NULL) = (account_until IS NULL))
);

create table connection_breaker (
  kind text not null,
  account text default ''::text not null,
  call text not null,
  failed_at timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  openings integer default 0 not null,
  open_until timestamp with time zone,
  trial_at timestamp with time zone,
  last_ok_at timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  constraint connection_breaker_pkey PRIMARY KEY (kind, account, call),
  constraint connection_breaker_call_check CHECK (call = ANY (ARRAY['send'::text, 'look'::text, 'read'::text])),
  constraint connection_breaker_check CHECK ((openings > 0) = (open_until IS NOT NULL)),
  constraint connection_breaker_kind_account_fkey FOREIGN KEY (kind, account) REFERENCES connection(kind, account) ON DELETE CASCADE
);

create table contador (
  clave text not null,
  ultimo integer default 0 not null,
  constraint contador_pkey PRIMARY KEY (clave),
  constraint contador_ultimo_check CHECK (ultimo >= 0)
);

create table conteo (
  id uuid default uuidv7() not null,
  parte text,
  empezado_por uuid not null,
  empezado_en timestamp with time zone default clock_timestamp() not null,
  terminado_por uuid,
  terminado_en timestamp with time zone,
  constraint conteo_pkey PRIMARY KEY (id),
  constraint conteo_check CHECK ((terminado_por IS NULL) = (terminado_en IS NULL)),
  constraint conteo_parte_check CHECK (parte = ANY (ARRAY['enRevision'::text, 'disponible'::text, 'reservado'::text, 'danado'::text])),
  constraint conteo_empezado_por_fkey FOREIGN KEY (empezado_por) REFERENCES usuario(id),
  constraint conteo_terminado_por_fkey FOREIGN KEY (terminado_por) REFERENCES usuario(id)
);
CREATE UNIQUE INDEX conteo_abierto ON public.conteo USING btree (COALESCE(parte, ''::text)) WHERE (terminado_en IS NULL);

create table conteo_pieza (
  id bigint generated always as identity not null,
  conteo_id uuid not null,
  pieza_id uuid,
  codigo text not null,
  leida_por uuid,
  leida_en timestamp with time zone,
  estado_leida text,
  hallazgo text,
  estado_final text,
  decision text,
  motivo text,
  decidida_por uuid,
  decidida_en timestamp with time zone,
  constraint conteo_pieza_pkey PRIMARY KEY (id),
  constraint conteo_pieza_check CHECK ((leida_por IS NULL) = (leida_en IS NULL)),
  constraint conteo_pieza_check1 CHECK (leida_en IS NOT NULL OR hallazgo = 'falta'::text),
  constraint conteo_pieza_check2 CHECK (leida_en IS NULL OR (pieza_id IS NULL) = (estado_leida IS NULL)),
  constraint conteo_pieza_check3 CHECK ((decision IS NULL) = (decidida_en IS NULL) AND (decision IS NULL) = (decidida_por IS NULL)),
  constraint conteo_pieza_check4 CHECK ((NOT decision IS DISTINCT FROM 'baja'::text) = (motivo IS NOT NULL)),
  constraint conteo_pieza_decision_check CHECK (decision = ANY (ARRAY['pasada'::text, 'apartada'::text, 'aparecio'::text, 'baja'::text, 'pendiente'::text])),
  constraint conteo_pieza_hallazgo_check CHECK (hallazgo = ANY (ARRAY['encontrada'::text, 'falta'::text, 'fueraDeLugar'::text, 'fuera'::text, 'etiqueta'::text])),
  constraint conteo_pieza_motivo_check CHECK (motivo = ANY (ARRAY['extraviada'::text, 'robada'::text, 'desechada'::text, 'error'::text])),
  constraint conteo_pieza_conteo_id_fkey FOREIGN KEY (conteo_id) REFERENCES conteo(id) ON DELETE CASCADE,
  constraint conteo_pieza_decidida_por_fkey FOREIGN KEY (decidida_por) REFERENCES usuario(id),
  constraint conteo_pieza_estado_final_fkey FOREIGN KEY (estado_final) REFERENCES stock_estado(value),
  constraint conteo_pieza_estado_leida_fkey FOREIGN KEY (estado_leida) REFERENCES stock_estado(value),
  constraint conteo_pieza_leida_por_fkey FOREIGN KEY (leida_por) REFERENCES usuario(id),
  constraint conteo_pieza_pieza_id_fkey FOREIGN KEY (pieza_id) REFERENCES stock_interno(id)
);
CREATE INDEX conteo_pieza_by_pieza ON public.conteo_pieza USING btree (pieza_id) WHERE (pieza_id IS NOT NULL);
CREATE UNIQUE INDEX conteo_pieza_etiqueta ON public.conteo_pieza USING btree (conteo_id, codigo) WHERE (pieza_id IS NULL);
CREATE UNIQUE INDEX conteo_pieza_one ON public.conteo_pieza USING btree (conteo_id, pieza_id) WHERE (pieza_id IS NOT NULL);

create table correccion_cliente (
  effect_id uuid not null,
  enlace_id uuid,
  factura_id uuid not null,
  pedida_en timestamp with time zone default now() not null,
  constraint correccion_cliente_pkey PRIMARY KEY (effect_id),
  constraint correccion_cliente_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id) ON DELETE CASCADE,
  constraint correccion_cliente_enlace_id_fkey FOREIGN KEY (enlace_id) REFERENCES enlace(id) ON DELETE SET NULL,
  constraint correccion_cliente_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id)
);
CREATE INDEX correccion_cliente_by_enlace ON public.correccion_cliente USING btree (enlace_id) WHERE (enlace_id IS NOT NULL);
CREATE INDEX correccion_cliente_by_factura ON public.correccion_cliente USING btree (factura_id);

create table costo_propio (
  id uuid default uuidv7() not null,
  sku text not null,
  desde date not null,
  costo numeric(14,2),
  solo_almacen boolean not null,
  escrito_por uuid,
  escrito_en timestamp with time zone default clock_timestamp() not null,
  busqueda text generated always as (f_norm(sku)) stored,
  constraint costo_propio_pkey PRIMARY KEY (id),
  constraint costo_propio_costo_check CHECK (costo > 0::numeric),
  constraint costo_propio_sku_check CHECK (sku <> ''::text AND sku = lower(sku)),
  constraint costo_propio_escrito_por_fkey FOREIGN KEY (escrito_por) REFERENCES usuario(id)
);
CREATE INDEX costo_propio_by_sku ON public.costo_propio USING btree (sku, desde DESC, id DESC);

create table costo_visto (
  orden_id uuid not null,
  sku text not null,
  proveedor text not null,
  producto_id uuid not null,
  precio numeric(18,6) not null,
  moneda text not null,
  tipo_cambio numeric(18,6),
  precio_en timestamp with time zone not null,
  visto_en timestamp with time zone default now() not null,
  constraint costo_visto_pkey PRIMARY KEY (orden_id, sku),
  constraint costo_visto_check CHECK (moneda = 'MXN'::text OR tipo_cambio IS NOT NULL),
  constraint costo_visto_moneda_check CHECK (moneda = ANY (ARRAY['MXN'::text, 'USD'::text])),
  constraint costo_visto_precio_check CHECK (precio > 0::numeric),
  constraint costo_visto_sku_check CHECK (sku <> ''::text AND sku = lower(sku)),
  constraint costo_visto_tipo_cambio_check CHECK (tipo_cambio > 0::numeric),
  constraint costo_visto_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE,
  constraint costo_visto_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id),
  constraint costo_visto_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);
CREATE INDEX costo_visto_by_producto ON public.costo_visto USING btree (producto_id);
CREATE TRIGGER costo_visto_posted AFTER INSERT ON costo_visto REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_vistos();

create table cotejo_hallazgo (
  uuid text not null,
  mes text not null,
  que text not null,
  folio text not null,
  motivo text,
  visto_en timestamp with time zone default now() not null,
  resuelto_en timestamp with time zone,
  constraint cotejo_hallazgo_pkey PRIMARY KEY (uuid),
  constraint cotejo_hallazgo_que_check CHECK (que = ANY (ARRAY['adoptado'::text, 'cancelado'::text, 'inexplicado'::text])),
  constraint cotejo_hallazgo_mes_fkey FOREIGN KEY (mes) REFERENCES cotejo_mes(mes)
);

create table cotejo_mes (
  mes text not null,
  leido_en timestamp with time zone default now() not null,
  conocidos integer not null,
  ajenos integer not null,
  constraint cotejo_mes_pkey PRIMARY KEY (mes),
  constraint cotejo_mes_mes_check CHECK (mes ~ '^[0-9]{4}-[0-9]{2}$'::text)
);

create table cotizacion (
  orden_id uuid not null,
  folio text,
  usuario_id uuid,
  version integer default 1 not null,
  creada_en timestamp with time zone default now() not null,
  constraint cotizacion_pkey PRIMARY KEY (orden_id),
  constraint cotizacion_folio_check CHECK (folio <> ''::text),
  constraint cotizacion_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE,
  constraint cotizacion_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX cotizacion_by_folio ON public.cotizacion USING btree (lower(folio));

create table credential (
  connection text not null,
  account text not null,
  status text not null,
  detail text,
  sealed bytea not null,
  expires_at timestamp with time zone,
  lease_owner text,
  lease_until timestamp with time zone,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  label text,
  linked_at timestamp with time zone default now() not null,
  constraint credential_pkey PRIMARY KEY (connection),
  constraint credential_status_check CHECK (status = ANY (ARRAY['linked'::text, 'broken'::text]))
);

create table decision_devuelta (
  id uuid default uuidv7() not null,
  orden_id uuid not null,
  decision text not null,
  hasta date,
  folio text,
  usuario_id uuid,
  creada_en timestamp with time zone default clock_timestamp() not null,
  constraint decision_devuelta_pkey PRIMARY KEY (id),
  constraint decision_devuelta_check CHECK ((decision = ANY (ARRAY['esperar'::text, 'reclamar'::text])) = (hasta IS NOT NULL)),
  constraint decision_devuelta_decision_check CHECK (decision = ANY (ARRAY['facturar'::text, 'esperar'::text, 'reclamar'::text, 'soltar'::text])),
  constraint decision_devuelta_folio_check CHECK (folio <> ''::text),
  constraint decision_devuelta_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE,
  constraint decision_devuelta_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX decision_devuelta_by_orden ON public.decision_devuelta USING btree (orden_id, id DESC);

create table deposito (
  id uuid default uuidv7() not null,
  market text not null,
  clave text not null,
  fecha timestamp with time zone not null,
  importe numeric(14,2) not null,
  reporte_id uuid not null,
  posicion integer default 0 not null,
  saldo_antes numeric(14,2) default 0 not null,
  saldo_despues numeric(14,2) default 0 not null,
  saldo_dicho numeric(14,2),
  suma numeric(14,2) default 0 not null,
  movimientos integer default 0 not null,
  ventas integer default 0 not null,
  diferencia numeric(14,2) default 0 not null,
  mayor numeric(14,2) default 0 not null,
  sin_explicar numeric(14,2) generated always as ((importe - ((saldo_antes + suma) - saldo_despues))) stored,
  motivo text,
  reclamado_en timestamp with time zone,
  reclamado_por uuid,
  version integer default 1 not null,
  constraint deposito_pkey PRIMARY KEY (id),
  constraint deposito_market_clave_key UNIQUE (market, clave),
  constraint deposito_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint deposito_reclamado_por_fkey FOREIGN KEY (reclamado_por) REFERENCES usuario(id),
  constraint deposito_reporte_id_fkey FOREIGN KEY (reporte_id) REFERENCES liquidacion_reporte(id)
);
CREATE INDEX deposito_by_fecha ON public.deposito USING btree (fecha DESC, id DESC);

create table dispositivo (
  id uuid default uuidv7() not null,
  token_hash bytea not null,
  usuario_id uuid not null,
  creado_en timestamp with time zone default now() not null,
  visto_en timestamp with time zone default now() not null,
  codigo_en timestamp with time zone,
  constraint dispositivo_pkey PRIMARY KEY (id),
  constraint dispositivo_token_hash_usuario_id_key UNIQUE (token_hash, usuario_id),
  constraint dispositivo_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX dispositivo_by_usuario ON public.dispositivo USING btree (usuario_id);
CREATE INDEX dispositivo_by_visto ON public.dispositivo USING btree (visto_en);

create table effect (
  id uuid default uuidv7() not null,
  type text not null,
  key text not null,
  ref text not null,
  connection text not null,
  request jsonb not null,
  request_hash bytea not null,
  state text default 'queued'::text not null,
  sends integer default 0 not null,
  finds integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  lease_owner text,
  lease_until timestamp with time zone,
  sent_at timestamp with time zone,
  unknown_at timestamp with time zone,
  result jsonb,
  reason text,
  detail text,
  batch_id uuid,
  usuario_id uuid,
  created_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  late_evidence jsonb,
  look_again_at timestamp with time zone,
  late_seen text[] default '{}'::text[] not null,
  peticion text,
  constraint effect_pkey PRIMARY KEY (id),
  constraint effect_check CHECK ((state = ANY (ARRAY['done'::text, 'refused'::text, 'cancelled'::text])) = (settled_at IS NOT NULL)),
  constraint effect_state_check CHECK (state = ANY (ARRAY['queued'::text, 'sending'::text, 'unknown'::text, 'manual'::text, 'done'::text, 'refused'::text, 'cancelled'::text])),
  constraint effect_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batch(id),
  constraint effect_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX effect_by_batch ON public.effect USING btree (batch_id, state) WHERE (batch_id IS NOT NULL);
CREATE INDEX effect_by_key ON public.effect USING btree (type, key, id);
CREATE INDEX effect_late ON public.effect USING btree (created_at) WHERE (late_evidence IS NOT NULL);
CREATE INDEX effect_look_again ON public.effect USING btree (look_again_at) WHERE (look_again_at IS NOT NULL);
CREATE INDEX effect_manual ON public.effect USING btree (created_at) WHERE (state = 'manual'::text);
CREATE INDEX effect_open ON public.effect USING btree (next_at) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text, 'unknown'::text]));
CREATE INDEX effect_prometido ON public.effect USING btree (type, created_at) WHERE (type = ANY (ARRAY['cfdi.stamp'::text, 'pregunta.responder'::text]));
CREATE INDEX effect_refused ON public.effect USING btree (type, created_at) WHERE (state = 'refused'::text);
CREATE UNIQUE INDEX one_live_effect_per_key ON public.effect USING btree (type, key) WHERE (state = ANY (ARRAY['queued'::text, 'sending'::text, 'unknown'::text, 'manual'::text]));
CREATE UNIQUE INDEX one_live_effect_per_ref ON public.effect USING btree (connection, ref) WHERE (state <> ALL (ARRAY['refused'::text, 'cancelled'::text]));
CREATE TRIGGER effect_guard BEFORE UPDATE ON effect FOR EACH ROW EXECUTE FUNCTION guard_effect();
CREATE TRIGGER gancho_factura_rechazada AFTER UPDATE ON effect REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_factura_rechazada();

create table effect_attempt (
  id bigint generated always as identity not null,
  effect_id uuid not null,
  kind text not null,
  phase text not null,
  at timestamp with time zone default now() not null,
  owner text not null,
  outcome text,
  status integer,
  ms integer,
  message text,
  sealed bytea,
  constraint effect_attempt_pkey PRIMARY KEY (id),
  constraint effect_attempt_kind_check CHECK (kind = ANY (ARRAY['send'::text, 'find'::text, 'person'::text])),
  constraint effect_attempt_outcome_check CHECK (outcome = ANY (ARRAY['answered'::text, 'unclear'::text, 'found'::text, 'absent'::text, 'not-sent'::text, 'refused'::text, 'account'::text])),
  constraint effect_attempt_phase_check CHECK (phase = ANY (ARRAY['started'::text, 'ended'::text])),
  constraint effect_attempt_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id)
);
CREATE INDEX effect_attempt_by_effect ON public.effect_attempt USING btree (effect_id, id);
CREATE TRIGGER effect_attempt_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON effect_attempt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table effect_subject (
  effect_id uuid not null,
  entidad text not null,
  entidad_id text not null,
  constraint effect_subject_pkey PRIMARY KEY (effect_id, entidad, entidad_id),
  constraint effect_subject_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id) ON DELETE CASCADE
);
CREATE INDEX effect_subject_by_subject ON public.effect_subject USING btree (entidad, entidad_id, effect_id);
CREATE INDEX effect_subject_sustituida ON public.effect_subject USING btree (effect_id, entidad_id) WHERE (entidad = 'sustituida'::text);

create table empaque (
  envio_id uuid not null,
  empezado_en timestamp with time zone default now() not null,
  terminado_en timestamp with time zone,
  constraint empaque_pkey PRIMARY KEY (envio_id),
  constraint empaque_envio_id_fkey FOREIGN KEY (envio_id) REFERENCES envio(id) ON DELETE CASCADE
);

create table empaque_lectura (
  id bigint generated always as identity not null,
  envio_id uuid not null,
  orden_id uuid not null,
  posicion smallint not null,
  codigo text,
  pieza_id uuid,
  falta text,
  usuario_id uuid,
  en timestamp with time zone default now() not null,
  constraint empaque_lectura_pkey PRIMARY KEY (id),
  constraint empaque_lectura_check CHECK ((codigo IS NULL) <> (falta IS NULL)),
  constraint empaque_lectura_check1 CHECK (pieza_id IS NULL OR codigo IS NOT NULL),
  constraint empaque_lectura_falta_check CHECK (falta = ANY (ARRAY['noSeEncuentra'::text, 'noLlego'::text, 'danada'::text, 'equivocada'::text])),
  constraint empaque_lectura_envio_id_fkey FOREIGN KEY (envio_id) REFERENCES empaque(envio_id) ON DELETE CASCADE,
  constraint empaque_lectura_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE,
  constraint empaque_lectura_pieza_id_fkey FOREIGN KEY (pieza_id) REFERENCES stock_interno(id),
  constraint empaque_lectura_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX empaque_lectura_by_envio ON public.empaque_lectura USING btree (envio_id);
CREATE INDEX empaque_lectura_by_orden ON public.empaque_lectura USING btree (orden_id);
CREATE UNIQUE INDEX empaque_lectura_by_pieza ON public.empaque_lectura USING btree (pieza_id, envio_id) WHERE (pieza_id IS NOT NULL);
CREATE INDEX empaque_lectura_falta ON public.empaque_lectura USING btree (en) WHERE (falta IS NOT NULL);

create table empresa (
  id uuid default uuidv7() not null,
  nombre text not null,
  activo boolean default true not null,
  conexion text,
  fecha_creacion timestamp with time zone default now() not null,
  version integer default 1 not null,
  busqueda text generated always as (f_norm(nombre)) stored,
  constraint empresa_pkey PRIMARY KEY (id),
  constraint empresa_conexion_key UNIQUE (conexion),
  constraint empresa_nombre_check CHECK (nombre = btrim(nombre) AND nombre <> ''::text)
);
CREATE UNIQUE INDEX empresa_by_nombre ON public.empresa USING btree (f_norm(nombre));

create table encargo (
  cola text not null,
  cosa text not null,
  dueno_id uuid,
  pospuesta_hasta timestamp with time zone,
  motivo text,
  pospuesta_por uuid,
  actualizado_en timestamp with time zone default now() not null,
  constraint encargo_pkey PRIMARY KEY (cola, cosa),
  constraint encargo_check CHECK ((pospuesta_hasta IS NULL) = (motivo IS NULL)),
  constraint encargo_dueno_id_fkey FOREIGN KEY (dueno_id) REFERENCES usuario(id) ON DELETE SET NULL,
  constraint encargo_pospuesta_por_fkey FOREIGN KEY (pospuesta_por) REFERENCES usuario(id) ON DELETE SET NULL
);
CREATE INDEX encargo_pospuesto ON public.encargo USING btree (pospuesta_hasta) WHERE (pospuesta_hasta IS NOT NULL);

create table enlace (
  id uuid default uuidv7() not null,
  token_hash bytea not null,
  proposito text not null,
  market text not null,
  num_orden text not null,
  origen text not null,
  creado_por uuid,
  creado_en timestamp with time zone default now() not null,
  vence_en timestamp with time zone not null,
  revocado_en timestamp with time zone,
  revocado_por uuid,
  usos integer default 0 not null,
  usado_en timestamp with time zone,
  constraint enlace_pkey PRIMARY KEY (id),
  constraint enlace_token_hash_key UNIQUE (token_hash),
  constraint enlace_check CHECK ((origen = 'personal'::text) = (creado_por IS NOT NULL)),
  constraint enlace_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint enlace_origen_check CHECK (origen = ANY (ARRAY['personal'::text, 'automatico'::text, 'portada'::text])),
  constraint enlace_proposito_check CHECK (proposito = ANY (ARRAY['facturacion'::text, 'datosEnvio'::text])),
  constraint enlace_token_hash_check CHECK (octet_length(token_hash) = 32),
  constraint enlace_creado_por_fkey FOREIGN KEY (creado_por) REFERENCES usuario(id),
  constraint enlace_revocado_por_fkey FOREIGN KEY (revocado_por) REFERENCES usuario(id)
);
CREATE INDEX enlace_by_orden ON public.enlace USING btree (num_orden, market, creado_en DESC);
CREATE INDEX enlace_by_vence ON public.enlace USING btree (vence_en);
CREATE INDEX enlace_sin_respuesta ON public.enlace USING btree (creado_en) WHERE ((revocado_en IS NULL) AND (usado_en IS NULL) AND (origen = 'personal'::text));

create table enlace_rfc (
  enlace_id uuid not null,
  rfc_hash bytea not null,
  en timestamp with time zone default now() not null,
  constraint enlace_rfc_pkey PRIMARY KEY (enlace_id, rfc_hash),
  constraint enlace_rfc_enlace_id_fkey FOREIGN KEY (enlace_id) REFERENCES enlace(id) ON DELETE CASCADE
);

create table entrada (
  token_hash bytea not null,
  usuario_id uuid not null,
  version integer not null,
  recordar boolean not null,
  vence_en timestamp with time zone not null,
  constraint entrada_pkey PRIMARY KEY (token_hash),
  constraint entrada_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX entrada_by_usuario ON public.entrada USING btree (usuario_id);
CREATE INDEX entrada_by_vence ON public.entrada USING btree (vence_en);

create table entrada_anterior (
  usuario_id uuid not null,
  primera_en timestamp with time zone default now() not null,
  ultima_en timestamp with time zone default now() not null,
  direccion text not null,
  constraint entrada_anterior_pkey PRIMARY KEY (usuario_id),
  constraint entrada_anterior_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);

create table envio (
  id uuid default uuidv7() not null,
  market text not null,
  market_id text not null,
  estatus text not null,
  subestatus text,
  modo text,
  tipo_logistico text,
  propio boolean default false not null,
  cobrado numeric(14,2),
  costo numeric(14,2),
  guia text,
  paqueteria text,
  paqueteria_url text,
  nombre_receptor text,
  telefono text,
  calle text,
  numero_e text,
  numero_i text,
  referencia text,
  colonia text,
  ciudad text,
  municipio text,
  estado text,
  cp text,
  fecha_creacion timestamp with time zone not null,
  actualizado_en timestamp with time zone not null,
  datos jsonb not null,
  busqueda text generated always as (f_norm(((((market_id || ' '::text) || COALESCE(guia, ''::text)) || ' '::text) || COALESCE(nombre_receptor, ''::text)))) stored,
  direccion_en timestamp with time zone,
  apellidos text,
  calle_a text,
  calle_b text,
  ocurre boolean default false not null,
  cotizado numeric(14,2),
  pagos jsonb,
  costo_comprador numeric(14,2),
  direccion_mercado jsonb,
  direccion_difiere boolean default false not null,
  constraint envio_pkey PRIMARY KEY (id),
  constraint envio_market_market_id_key UNIQUE (market, market_id),
  constraint envio_check CHECK (direccion_mercado IS NOT NULL OR NOT direccion_difiere),
  constraint envio_cobrado_check CHECK (cobrado >= 0::numeric),
  constraint envio_cotizado_check CHECK (cotizado >= 0::numeric),
  constraint envio_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000, autovacuum_vacuum_scale_factor=0.01, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX envio_by_fecha ON public.envio USING btree (fecha_creacion DESC, id DESC) INCLUDE (costo, busqueda);
CREATE INDEX envio_by_guia ON public.envio USING btree (guia) WHERE (guia IS NOT NULL);
CREATE INDEX envio_by_guia_escrita ON public.envio USING btree (lower(guia)) WHERE (guia IS NOT NULL);
CREATE INDEX envio_pendientes ON public.envio USING btree (fecha_creacion DESC, id DESC) INCLUDE (costo) WHERE ((estatus <> ALL (ARRAY['delivered'::text, 'entregado'::text, 'cancelled'::text, 'cancelado'::text, 'returned'::text, 'devuelto'::text])) AND ((estatus <> 'not_delivered'::text) OR (COALESCE(subestatus, ''::text) <> 'returned'::text)));
CREATE INDEX envio_search ON public.envio USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER envio_costo_changed AFTER UPDATE ON envio REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION costo_envio_of_envios();
CREATE TRIGGER envio_posted AFTER UPDATE ON envio REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_envios();
CREATE TRIGGER envio_receptor_changed AFTER UPDATE ON envio REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION envio_receptor_changed();

create table espera (
  clave text not null,
  fallos integer not null,
  ultimo_en timestamp with time zone not null,
  abre_en timestamp with time zone not null,
  constraint espera_pkey PRIMARY KEY (clave),
  constraint espera_fallos_check CHECK (fallos > 0)
);
CREATE INDEX espera_by_ultimo ON public.espera USING btree (ultimo_en);

create table export_run (
  id uuid default uuidv7() not null,
  list text not null,
  filter jsonb not null,
  usuario_id uuid not null,
  state text default 'queued'::text not null,
  total integer,
  written integer default 0 not null,
  archivo_id uuid,
  error text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  constraint export_run_pkey PRIMARY KEY (id),
  constraint export_run_state_check CHECK (state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])),
  constraint export_run_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint export_run_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX export_run_by_usuario ON public.export_run USING btree (usuario_id, id DESC);

create table factura (
  id uuid default uuidv7() not null,
  tipo text not null,
  estatus text not null,
  effect_id uuid not null,
  market text,
  num_orden text,
  uuid text not null,
  uid text not null,
  serie text not null,
  folio integer not null,
  fecha timestamp with time zone not null,
  fecha_timbrado timestamp with time zone not null,
  rfc text not null,
  razon_social text not null,
  cp text not null,
  regimen text not null,
  uso_cfdi text not null,
  forma_pago text not null,
  subtotal numeric(14,2) not null,
  iva numeric(14,2) not null,
  total numeric(14,2) not null,
  cliente_fiscal_id uuid,
  emails text[] default '{}'::text[] not null,
  usuario_id uuid,
  xml_id uuid not null,
  pdf_id uuid,
  creada_en timestamp with time zone default now() not null,
  cancelada_en timestamp with time zone,
  busqueda text generated always as (f_norm(((((((((serie || '-'::text) || (folio)::text) || ' '::text) || COALESCE(num_orden, ''::text)) || ' '::text) || rfc) || ' '::text) || razon_social))) stored,
  sustituye_id uuid,
  rechazada_en timestamp with time zone,
  receptor_uid text,
  origen_id uuid,
  motivo text,
  constraint factura_pkey PRIMARY KEY (id),
  constraint factura_effect_id_key UNIQUE (effect_id),
  constraint factura_serie_folio_key UNIQUE (serie, folio),
  constraint factura_uid_key UNIQUE (uid),
  constraint factura_uuid_key UNIQUE (uuid),
  constraint factura_estatus_check CHECK (estatus = ANY (ARRAY['vigente'::text, 'cancelando'::text, 'cancelada'::text])),
  constraint factura_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint factura_motivo_check CHECK (motivo = ANY (ARRAY['refacturacion'::text, 'devuelta'::text, 'parcial'::text])),
  constraint factura_tipo_check CHECK (tipo = ANY (ARRAY['individual'::text, 'global'::text, 'notaCredito'::text])),
  constraint factura_total_check CHECK (total >= 0::numeric),
  constraint only_a_credit_note_takes_back CHECK (tipo = 'notaCredito'::text OR origen_id IS NULL AND motivo IS NULL),
  constraint factura_cliente_fiscal_id_fkey FOREIGN KEY (cliente_fiscal_id) REFERENCES cliente_fiscal(id),
  constraint factura_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id),
  constraint factura_origen_id_fkey FOREIGN KEY (origen_id) REFERENCES factura(id),
  constraint factura_pdf_id_fkey FOREIGN KEY (pdf_id) REFERENCES archivo(id),
  constraint factura_sustituye_id_fkey FOREIGN KEY (sustituye_id) REFERENCES factura(id),
  constraint factura_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id),
  constraint factura_xml_id_fkey FOREIGN KEY (xml_id) REFERENCES archivo(id)
) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000, autovacuum_vacuum_scale_factor=0.01, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX factura_by_num_orden ON public.factura USING btree (num_orden);
CREATE INDEX factura_by_sustituye ON public.factura USING btree (sustituye_id) WHERE (sustituye_id IS NOT NULL);
CREATE INDEX factura_correos ON public.factura USING gin (f_correos(emails));
CREATE INDEX factura_list ON public.factura USING btree (fecha_timbrado DESC, id DESC) INCLUDE (total, estatus, busqueda) WHERE (tipo <> 'notaCredito'::text);
CREATE INDEX factura_notas ON public.factura USING btree (fecha_timbrado DESC, id DESC) INCLUDE (total, estatus) WHERE (tipo = 'notaCredito'::text);
CREATE INDEX factura_rechazada ON public.factura USING btree (rechazada_en) WHERE ((estatus = 'vigente'::text) AND (rechazada_en IS NOT NULL));
CREATE INDEX factura_search ON public.factura USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER factura_libro AFTER UPDATE OF estatus ON factura FOR EACH ROW WHEN ((old.estatus = 'cancelada'::text) <> (new.estatus = 'cancelada'::text)) EXECUTE FUNCTION libro_of_factura();
CREATE TRIGGER gancho_factura_cancelada AFTER UPDATE ON factura REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_factura_cancelada();
CREATE TRIGGER gancho_factura_timbrada AFTER INSERT ON factura REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_factura_timbrada();

create table factura_concepto (
  factura_id uuid not null,
  posicion integer not null,
  orden_id uuid,
  clave_prod_serv text not null,
  no_identificacion text,
  cantidad numeric(18,6) not null,
  clave_unidad text not null,
  descripcion text not null,
  valor_unitario numeric(18,6) not null,
  importe numeric(18,6) not null,
  base numeric(18,6) not null,
  tasa_iva numeric(7,6) not null,
  iva numeric(18,6) not null,
  constraint factura_concepto_pkey PRIMARY KEY (factura_id, posicion),
  constraint factura_concepto_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id),
  constraint factura_concepto_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id)
);

create table factura_draft (
  id uuid default uuidv7() not null,
  num_orden text not null,
  market text not null,
  usuario_id uuid,
  articulos jsonb not null,
  cliente jsonb,
  cliente_fiscal_id uuid,
  revision jsonb,
  effect_id uuid,
  version integer default 1 not null,
  creado_en timestamp with time zone default now() not null,
  actualizado_en timestamp with time zone default now() not null,
  enlace_id uuid,
  sustituye_id uuid,
  constraint factura_draft_pkey PRIMARY KEY (id),
  constraint factura_draft_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint factura_draft_cliente_fiscal_id_fkey FOREIGN KEY (cliente_fiscal_id) REFERENCES cliente_fiscal(id),
  constraint factura_draft_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id),
  constraint factura_draft_enlace_id_fkey FOREIGN KEY (enlace_id) REFERENCES enlace(id) ON DELETE SET NULL,
  constraint factura_draft_sustituye_id_fkey FOREIGN KEY (sustituye_id) REFERENCES factura(id),
  constraint factura_draft_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX factura_draft_by_effect ON public.factura_draft USING btree (effect_id) WHERE (effect_id IS NOT NULL);
CREATE INDEX factura_draft_by_sustituye ON public.factura_draft USING btree (sustituye_id) WHERE (sustituye_id IS NOT NULL);
CREATE INDEX factura_draft_by_usuario ON public.factura_draft USING btree (usuario_id, actualizado_en DESC);
CREATE INDEX factura_draft_by_venta ON public.factura_draft USING btree (num_orden, market) WHERE (effect_id IS NOT NULL);
CREATE INDEX factura_draft_saving ON public.factura_draft USING btree (((cliente ->> 'guardando'::text))) WHERE ((cliente ->> 'guardando'::text) IS NOT NULL);
CREATE UNIQUE INDEX one_draft_per_enlace ON public.factura_draft USING btree (enlace_id) WHERE (enlace_id IS NOT NULL);

create table factura_orden (
  factura_id uuid not null,
  orden_id uuid not null,
  importe numeric(14,2),
  constraint factura_orden_pkey PRIMARY KEY (factura_id, orden_id),
  constraint factura_orden_importe_check CHECK (importe > 0::numeric),
  constraint factura_orden_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id),
  constraint factura_orden_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id)
);
CREATE INDEX factura_orden_by_orden ON public.factura_orden USING btree (orden_id);
CREATE TRIGGER factura_orden_libro_added AFTER INSERT ON factura_orden REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION libro_of_documentos();
CREATE TRIGGER factura_orden_libro_removed AFTER DELETE ON factura_orden REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION libro_of_documentos();
CREATE TRIGGER factura_orden_named AFTER INSERT ON factura_orden REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documentos_of_changed();
CREATE TRIGGER factura_orden_unnamed AFTER DELETE ON factura_orden REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documentos_of_changed();

create table fiscal_claim (
  orden_id uuid not null,
  kind text not null,
  effect_id uuid not null,
  factura_id uuid,
  claimed_at timestamp with time zone default now() not null,
  constraint fiscal_claim_pkey PRIMARY KEY (orden_id),
  constraint fiscal_claim_kind_check CHECK (kind = ANY (ARRAY['individual'::text, 'global'::text])),
  constraint fiscal_claim_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id),
  constraint fiscal_claim_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id),
  constraint fiscal_claim_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id)
);
CREATE INDEX fiscal_claim_by_effect ON public.fiscal_claim USING btree (effect_id);
CREATE INDEX fiscal_claim_by_factura ON public.fiscal_claim USING btree (factura_id) WHERE (factura_id IS NOT NULL);

create table ganancia (
  proveedor text not null,
  market text not null,
  ganancia numeric(6,4) not null,
  tipo text default ''::text not null,
  constraint ganancia_pkey PRIMARY KEY (proveedor, market, tipo),
  constraint ganancia_ganancia_check CHECK (ganancia >= 0::numeric),
  constraint ganancia_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint ganancia_tipo_check CHECK (tipo = ANY (ARRAY[''::text, 'gold_pro'::text])),
  constraint ganancia_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);
CREATE TRIGGER ganancia_moved AFTER INSERT OR UPDATE ON ganancia FOR EACH ROW EXECUTE FUNCTION proveedor_moved();

create table ganancia_producto (
  producto_id uuid not null,
  market text not null,
  ganancia numeric(6,4) not null,
  tipo text default ''::text not null,
  constraint ganancia_producto_pkey PRIMARY KEY (producto_id, market, tipo),
  constraint ganancia_producto_ganancia_check CHECK (ganancia >= 0::numeric),
  constraint ganancia_producto_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint ganancia_producto_tipo_check CHECK (tipo = ANY (ARRAY[''::text, 'gold_pro'::text])),
  constraint ganancia_producto_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE
);
CREATE TRIGGER ganancia_producto_moved AFTER INSERT OR DELETE OR UPDATE ON ganancia_producto FOR EACH ROW EXECUTE FUNCTION ganancia_producto_moved();

create table gancho (
  id uuid default uuidv7() not null,
  nombre text not null,
  url text not null,
  tipos text[] not null,
  secreto bytea not null,
  secreto_anterior bytea,
  anterior_hasta timestamp with time zone,
  fallos integer default 0 not null,
  espera_hasta timestamp with time zone,
  tomado_hasta timestamp with time zone,
  creado_por uuid,
  creado_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  constraint gancho_pkey PRIMARY KEY (id),
  constraint gancho_check CHECK ((secreto_anterior IS NULL) = (anterior_hasta IS NULL)),
  constraint gancho_nombre_check CHECK (length(nombre) >= 1 AND length(nombre) <= 60),
  constraint gancho_tipos_check CHECK (cardinality(tipos) > 0 AND tipos <@ ARRAY['orden.creada'::text, 'orden.actualizada'::text, 'factura.timbrada'::text, 'factura.cancelada'::text, 'factura.rechazada'::text, 'pedido.actualizado'::text, 'pregunta.nueva'::text, 'reclamo.nuevo'::text, 'stock.movido'::text, 'condicion.cambiada'::text]),
  constraint gancho_url_check CHECK (length(url) >= 1 AND length(url) <= 500),
  constraint gancho_creado_por_fkey FOREIGN KEY (creado_por) REFERENCES usuario(id)
);

create table gancho_entrega (
  id uuid default uuidv7() not null,
  gancho_id uuid not null,
  evento_id uuid not null,
  estado text default 'pendiente'::text not null,
  intentos integer default 0 not null,
  proximo_en timestamp with time zone default now() not null,
  vence_en timestamp with time zone default (now() + '24:00:00'::interval) not null,
  status integer,
  detalle text,
  terminada_en timestamp with time zone,
  constraint gancho_entrega_pkey PRIMARY KEY (id),
  constraint gancho_entrega_evento_id_gancho_id_key UNIQUE (evento_id, gancho_id),
  constraint gancho_entrega_estado_check CHECK (estado = ANY (ARRAY['pendiente'::text, 'entregada'::text, 'muerta'::text])),
  constraint gancho_entrega_evento_id_fkey FOREIGN KEY (evento_id) REFERENCES gancho_evento(id) ON DELETE CASCADE,
  constraint gancho_entrega_gancho_id_fkey FOREIGN KEY (gancho_id) REFERENCES gancho(id) ON DELETE CASCADE
);
CREATE INDEX gancho_entrega_by_gancho ON public.gancho_entrega USING btree (gancho_id, id DESC);
CREATE INDEX gancho_entrega_muerta ON public.gancho_entrega USING btree (gancho_id, id DESC) WHERE (estado = 'muerta'::text);
CREATE INDEX gancho_entrega_por_salir ON public.gancho_entrega USING btree (gancho_id, proximo_en, id) WHERE (estado = 'pendiente'::text);

create table gancho_evento (
  id uuid default uuidv7() not null,
  tipo text not null,
  entidad_id text not null,
  ocurrido_en timestamp with time zone default now() not null,
  cuerpo text,
  repartido_en timestamp with time zone,
  constraint gancho_evento_pkey PRIMARY KEY (id),
  constraint gancho_evento_tipo_entidad_id_ocurrido_en_key UNIQUE (tipo, entidad_id, ocurrido_en),
  constraint gancho_evento_tipo_check CHECK (tipo = ANY (ARRAY['orden.creada'::text, 'orden.actualizada'::text, 'factura.timbrada'::text, 'factura.cancelada'::text, 'factura.rechazada'::text, 'pedido.actualizado'::text, 'pregunta.nueva'::text, 'reclamo.nuevo'::text, 'stock.movido'::text, 'condicion.cambiada'::text, 'prueba'::text]))
);
CREATE INDEX gancho_evento_por_repartir ON public.gancho_evento USING btree (id) WHERE (repartido_en IS NULL);

create table global_numero (
  effect_id uuid not null,
  mes text not null,
  numero integer not null,
  constraint global_numero_pkey PRIMARY KEY (effect_id),
  constraint global_numero_mes_check CHECK (mes ~ '^[0-9]{4}-[0-9]{2}$'::text),
  constraint global_numero_numero_check CHECK (numero >= 1),
  constraint global_numero_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id) ON DELETE CASCADE
);
CREATE INDEX global_numero_by_mes ON public.global_numero USING btree (mes, numero, effect_id DESC);

create table guia (
  id uuid default uuidv7() not null,
  envio_id uuid not null,
  archivo_id uuid,
  sha256 bytea not null,
  numero text not null,
  paqueteria text not null,
  creada_en timestamp with time zone default now() not null,
  anulada_en timestamp with time zone,
  zpl_id uuid,
  constraint guia_pkey PRIMARY KEY (id),
  constraint guia_envio_id_sha256_key UNIQUE (envio_id, sha256),
  constraint guia_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint guia_envio_id_fkey FOREIGN KEY (envio_id) REFERENCES envio(id),
  constraint guia_zpl_id_fkey FOREIGN KEY (zpl_id) REFERENCES archivo(id)
);
CREATE INDEX guia_by_archivo ON public.guia USING btree (archivo_id);
CREATE INDEX guia_by_zpl ON public.guia USING btree (zpl_id);
CREATE INDEX guia_con_archivo ON public.guia USING btree (creada_en) WHERE (archivo_id IS NOT NULL);

create table guia_comprada (
  id uuid default uuidv7() not null,
  envio_id uuid not null,
  guia_id uuid not null,
  market_id text not null,
  estado text not null,
  servicio text not null,
  costo numeric(14,2) not null,
  costo_antes numeric(14,2),
  entrega_desde timestamp with time zone,
  entrega_hasta timestamp with time zone,
  contenido text not null,
  peso integer not null,
  largo integer not null,
  ancho integer not null,
  alto integer not null,
  usuario_id uuid,
  comprada_en timestamp with time zone default now() not null,
  cancelada_en timestamp with time zone,
  mirada_en timestamp with time zone default now() not null,
  constraint guia_comprada_pkey PRIMARY KEY (id),
  constraint guia_comprada_market_id_key UNIQUE (market_id),
  constraint guia_comprada_alto_check CHECK (alto > 0),
  constraint guia_comprada_ancho_check CHECK (ancho > 0),
  constraint guia_comprada_check CHECK ((estado = 'comprada'::text) = (cancelada_en IS NULL)),
  constraint guia_comprada_costo_check CHECK (costo >= 0::numeric),
  constraint guia_comprada_estado_check CHECK (estado = ANY (ARRAY['comprada'::text, 'reembolsoPedido'::text, 'reembolsada'::text, 'sinReembolso'::text])),
  constraint guia_comprada_largo_check CHECK (largo > 0),
  constraint guia_comprada_peso_check CHECK (peso > 0),
  constraint guia_comprada_envio_id_fkey FOREIGN KEY (envio_id) REFERENCES envio(id),
  constraint guia_comprada_guia_id_fkey FOREIGN KEY (guia_id) REFERENCES guia(id),
  constraint guia_comprada_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX guia_comprada_by_contenido ON public.guia_comprada USING btree (contenido, id DESC);
CREATE INDEX guia_comprada_by_envio ON public.guia_comprada USING btree (envio_id, id DESC);
CREATE INDEX guia_comprada_by_guia ON public.guia_comprada USING btree (guia_id);
CREATE INDEX guia_comprada_by_usuario ON public.guia_comprada USING btree (usuario_id);
CREATE INDEX guia_comprada_por_mirar ON public.guia_comprada USING btree (mirada_en) WHERE (estado = 'reembolsoPedido'::text);
CREATE UNIQUE INDEX one_living_guia_per_envio ON public.guia_comprada USING btree (envio_id) WHERE (estado = 'comprada'::text);

create table inbox (
  id bigint generated always as identity not null,
  source text not null,
  dedupe_key text not null,
  topic text not null,
  resource text not null,
  received_at timestamp with time zone default now() not null,
  times integer default 1 not null,
  state text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  processed_at timestamp with time zone,
  error text,
  notice_id text,
  taken_until timestamp with time zone,
  cambio_en timestamp with time zone,
  constraint inbox_pkey PRIMARY KEY (id),
  constraint inbox_source_dedupe_key_key UNIQUE (source, dedupe_key),
  constraint inbox_state_check CHECK (state = ANY (ARRAY['pending'::text, 'done'::text, 'ignored'::text, 'failed'::text]))
);
CREATE INDEX inbox_by_received ON public.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX inbox_pending ON public.inbox USING btree (next_at) WHERE (state = 'pending'::text);
CREATE INDEX inbox_unread ON public.inbox USING btree (received_at DESC) WHERE ((topic <> 'payments'::text) AND ((state = 'failed'::text) OR ((state = 'pending'::text) AND (attempts >= 4))));

create table lectura_catalogo (
  id uuid default uuidv7() not null,
  proveedor text not null,
  empezo_en timestamp with time zone default now() not null,
  termino_en timestamp with time zone,
  completa boolean default false not null,
  sigue text,
  tramos integer default 0 not null,
  vistos integer default 0 not null,
  escritos integer default 0 not null,
  ilegibles integer default 0 not null,
  ejemplos text[] default '{}'::text[] not null,
  ausentes integer default 0 not null,
  error text,
  espera_hasta timestamp with time zone,
  dueno uuid,
  dueno_hasta timestamp with time zone,
  tipo text default 'completa'::text not null,
  total integer,
  falla text,
  fallas smallint default 0 not null,
  por_marcar integer,
  decision text,
  decidio_id uuid,
  decidio_en timestamp with time zone,
  constraint lectura_catalogo_pkey PRIMARY KEY (id),
  constraint lectura_catalogo_check CHECK (NOT completa OR termino_en IS NOT NULL),
  constraint lectura_catalogo_check1 CHECK ((dueno IS NULL) = (dueno_hasta IS NULL)),
  constraint lectura_catalogo_check2 CHECK (decision IS NULL OR por_marcar IS NOT NULL),
  constraint lectura_catalogo_decision_check CHECK (decision = ANY (ARRAY['marcar'::text, 'dejar'::text])),
  constraint lectura_catalogo_falla_check CHECK (falla = ANY (ARRAY['proveedor'::text, 'forma'::text, 'nuestra'::text])),
  constraint lectura_catalogo_por_marcar_check CHECK (por_marcar > 0),
  constraint lectura_catalogo_tipo_check CHECK (tipo = ANY (ARRAY['completa'::text, 'precios'::text])),
  constraint lectura_catalogo_decidio_id_fkey FOREIGN KEY (decidio_id) REFERENCES usuario(id),
  constraint lectura_catalogo_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);
CREATE UNIQUE INDEX lectura_catalogo_abierta ON public.lectura_catalogo USING btree (proveedor, tipo) WHERE (termino_en IS NULL);
CREATE INDEX lectura_catalogo_by_proveedor ON public.lectura_catalogo USING btree (proveedor, empezo_en DESC);

create table libro_cuadre (
  id bigint generated always as identity not null,
  en timestamp with time zone default now() not null,
  vistas integer not null,
  descuadradas integer not null,
  ventas text[] not null,
  constraint libro_cuadre_pkey PRIMARY KEY (id)
);

create table libro_venta (
  orden_id uuid not null,
  fecha timestamp with time zone not null,
  pagado numeric(14,2) not null,
  cobrado numeric(14,2) default 0 not null,
  acreditado numeric(14,2) default 0 not null,
  documentos integer default 0 not null,
  diferencia numeric(14,2) generated always as (((cobrado - acreditado) - pagado)) stored not null,
  recibe numeric(14,2),
  costo numeric(14,2),
  por_liberar numeric(14,2),
  estima text[] default '{}'::text[] not null,
  falta text[] default '{calculo}'::text[] not null,
  liquidada boolean default false not null,
  queda numeric(14,2) generated always as ((recibe - costo)) stored,
  certeza text generated always as (
CASE
    WHEN ((recibe IS NULL) OR (costo IS NULL)) THEN 'desconocida'::text
    WHEN ((estima = '{}'::text[]) AND (falta = '{}'::text[])) THEN 'conocida'::text
    ELSE 'estimada'::text
END) stored not null,
  comision numeric(14,2),
  envio numeric(14,2),
  retencion numeric(14,2),
  constraint libro_venta_pkey PRIMARY KEY (orden_id),
  constraint libro_venta_certeza_check CHECK (certeza = ANY (ARRAY['conocida'::text, 'estimada'::text, 'desconocida'::text])),
  constraint libro_venta_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE
);
CREATE INDEX libro_venta_abierto ON public.libro_venta USING btree (fecha) INCLUDE (diferencia, documentos, pagado) WHERE (diferencia <> (0)::numeric);
CREATE INDEX libro_venta_dinero ON public.libro_venta USING btree (fecha DESC, orden_id DESC) INCLUDE (queda, certeza);
CREATE INDEX libro_venta_partes ON public.libro_venta USING btree (fecha DESC, orden_id DESC) INCLUDE (queda, certeza, comision, envio, retencion);
CREATE INDEX libro_venta_por_calcular ON public.libro_venta USING btree (orden_id) WHERE (comision IS NULL);
CREATE INDEX libro_venta_por_fecha ON public.libro_venta USING btree (fecha) INCLUDE (pagado, cobrado, acreditado, diferencia);
CREATE INDEX libro_venta_por_liberar ON public.libro_venta USING btree (fecha) INCLUDE (orden_id, por_liberar) WHERE ((por_liberar > (0)::numeric) AND (NOT liquidada));
CREATE INDEX libro_venta_sin_saber ON public.libro_venta USING btree (fecha) INCLUDE (orden_id) WHERE (certeza <> 'conocida'::text);
CREATE TRIGGER libro_venta_moved AFTER UPDATE ON libro_venta FOR EACH ROW WHEN (old.queda IS NOT NULL AND NOT old.estima && '{costo,propio,catalogo}'::text[] AND (old.queda IS DISTINCT FROM new.queda OR new.estima && '{costo,propio,catalogo}'::text[])) EXECUTE FUNCTION utilidad_moved();

create table liquidacion_reporte (
  id uuid default uuidv7() not null,
  market text not null,
  clave text not null,
  estado text not null,
  desde timestamp with time zone not null,
  hasta timestamp with time zone not null,
  suyo text,
  archivo text,
  pedido_en timestamp with time zone default now() not null,
  mirar_en timestamp with time zone default now() not null,
  leido_en timestamp with time zone,
  intentos integer default 0 not null,
  lineas integer default 0 not null,
  saldo_inicial numeric(14,2),
  saldo_final numeric(14,2),
  error text,
  cuenta text default ''::text not null,
  constraint liquidacion_reporte_pkey PRIMARY KEY (id),
  constraint liquidacion_reporte_market_cuenta_clave_key UNIQUE (market, cuenta, clave),
  constraint liquidacion_reporte_check CHECK (desde < hasta),
  constraint liquidacion_reporte_estado_check CHECK (estado = ANY (ARRAY['pedido'::text, 'listo'::text, 'leido'::text, 'fallido'::text])),
  constraint liquidacion_reporte_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
);
CREATE INDEX liquidacion_reporte_pendiente ON public.liquidacion_reporte USING btree (market, desde) WHERE (estado <> 'leido'::text);

create table lista_precios (
  id uuid default uuidv7() not null,
  proveedor text not null,
  nombre text not null,
  renglones jsonb not null,
  ilegibles integer not null,
  sin_leer text[] not null,
  cuentas jsonb not null,
  muestra jsonb not null,
  usuario_id uuid,
  creada_en timestamp with time zone default now() not null,
  aplicada_en timestamp with time zone,
  constraint lista_precios_pkey PRIMARY KEY (id),
  constraint lista_precios_ilegibles_check CHECK (ilegibles >= 0),
  constraint lista_precios_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value) ON DELETE CASCADE,
  constraint lista_precios_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE UNIQUE INDEX lista_precios_en_espera ON public.lista_precios USING btree (proveedor) WHERE (aplicada_en IS NULL);

create table lote (
  id uuid default uuidv7() not null,
  usuario_id uuid not null,
  lista text not null,
  consulta text not null,
  accion text not null,
  creado_en timestamp with time zone default now() not null,
  pedido_en timestamp with time zone,
  batch_id uuid,
  datos jsonb,
  constraint lote_pkey PRIMARY KEY (id),
  constraint lote_accion_check CHECK (length(accion) >= 1 AND length(accion) <= 60),
  constraint lote_consulta_check CHECK (length(consulta) <= 2000),
  constraint lote_lista_check CHECK (length(lista) >= 1 AND length(lista) <= 60),
  constraint lote_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batch(id),
  constraint lote_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX lote_by_batch ON public.lote USING btree (batch_id);
CREATE INDEX lote_by_usuario ON public.lote USING btree (usuario_id);

create table lote_fila (
  lote_id uuid not null,
  fila_id uuid not null,
  posicion integer not null,
  visto text not null,
  impedimento text,
  resultado text,
  motivo text,
  effects uuid[] default '{}'::uuid[] not null,
  clave text not null,
  titulo text not null,
  importe numeric(14,2),
  constraint lote_fila_pkey PRIMARY KEY (lote_id, fila_id),
  constraint lote_fila_resultado_check CHECK (resultado = ANY (ARRAY['aceptada'::text, 'rechazada'::text, 'detenida'::text])),
  constraint lote_orden_check CHECK (impedimento IS NULL OR resultado IS NULL),
  constraint lote_orden_lote_id_fkey FOREIGN KEY (lote_id) REFERENCES lote(id) ON DELETE CASCADE
);

create table mercadolibre_cuenta (
  cuenta text not null,
  etiquetas text[] default '{}'::text[] not null,
  almacenes jsonb default '[]'::jsonb not null,
  leida_en timestamp with time zone default now() not null,
  almacen text,
  condicion text,
  condicion_en timestamp with time zone,
  con_regla text[],
  constraint mercadolibre_cuenta_pkey PRIMARY KEY (cuenta),
  constraint mercadolibre_cuenta_check CHECK ((condicion IS NULL) = (condicion_en IS NULL)),
  constraint mercadolibre_cuenta_condicion_check CHECK (condicion = ANY (ARRAY['campo'::text, 'atributo'::text]))
);

create table movimiento (
  id bigint generated always as identity not null,
  market text not null,
  clave text not null,
  reporte_id uuid not null,
  posicion integer not null,
  deposito_id uuid,
  orden_id uuid,
  concepto text not null,
  importe numeric(14,2) not null,
  fecha timestamp with time zone not null,
  detalle text not null,
  de_deposito text,
  pago text,
  ref_orden text,
  ref_paquete text,
  ref_envio text,
  ref_externa text,
  datos jsonb,
  constraint movimiento_pkey PRIMARY KEY (id),
  constraint movimiento_market_clave_key UNIQUE (market, clave),
  constraint movimiento_concepto_check CHECK (concepto = ANY (ARRAY['venta'::text, 'devolucion'::text, 'comision'::text, 'envio'::text, 'iva'::text, 'isr'::text, 'retencion'::text, 'publicidad'::text, 'reserva'::text, 'otro'::text])),
  constraint movimiento_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint movimiento_deposito_id_fkey FOREIGN KEY (deposito_id) REFERENCES deposito(id),
  constraint movimiento_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id),
  constraint movimiento_reporte_id_fkey FOREIGN KEY (reporte_id) REFERENCES liquidacion_reporte(id)
);
CREATE INDEX movimiento_by_deposito ON public.movimiento USING btree (deposito_id, fecha, id);
CREATE INDEX movimiento_by_orden ON public.movimiento USING btree (orden_id, fecha, id) WHERE (orden_id IS NOT NULL);
CREATE INDEX movimiento_by_pago ON public.movimiento USING btree (market, pago) WHERE (pago IS NOT NULL);
CREATE INDEX movimiento_by_reporte ON public.movimiento USING btree (reporte_id, posicion);
CREATE INDEX movimiento_sin_orden ON public.movimiento USING btree (market, fecha) WHERE ((orden_id IS NULL) AND (concepto <> 'reserva'::text));

create table muestra (
  en timestamp with time zone not null,
  proceso text not null,
  datos jsonb not null,
  constraint muestra_pkey PRIMARY KEY (en, proceso),
  constraint muestra_proceso_check CHECK (proceso <> ''::text)
);

create table nota_credito_orden (
  factura_id uuid not null,
  orden_id uuid not null,
  effect_id uuid not null,
  nota_id uuid,
  importe numeric(14,2) not null,
  creada_en timestamp with time zone default now() not null,
  parcial boolean default false not null,
  constraint nota_credito_orden_pkey PRIMARY KEY (factura_id, orden_id, effect_id),
  constraint nota_credito_orden_importe_check CHECK (importe >= 0::numeric),
  constraint nota_credito_orden_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id),
  constraint nota_credito_orden_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id),
  constraint nota_credito_orden_nota_id_fkey FOREIGN KEY (nota_id) REFERENCES factura(id),
  constraint nota_credito_orden_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id)
);
CREATE INDEX nota_credito_orden_by_effect ON public.nota_credito_orden USING btree (effect_id);
CREATE INDEX nota_credito_orden_by_nota ON public.nota_credito_orden USING btree (nota_id) WHERE (nota_id IS NOT NULL);
CREATE INDEX nota_credito_orden_by_orden ON public.nota_credito_orden USING btree (orden_id);
CREATE UNIQUE INDEX one_whole_note_per_orden ON public.nota_credito_orden USING btree (factura_id, orden_id) WHERE (NOT parcial);
CREATE TRIGGER nota_credito_orden_libro_added AFTER INSERT ON nota_credito_orden REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION libro_of_documentos();
CREATE TRIGGER nota_credito_orden_libro_removed AFTER DELETE ON nota_credito_orden REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION libro_of_documentos();
CREATE TRIGGER nota_credito_orden_limit AFTER INSERT ON nota_credito_orden REFERENCING NEW TABLE AS nuevas FOR EACH STATEMENT EXECUTE FUNCTION guard_nota_credito();

create table nota_draft (
  id uuid default uuidv7() not null,
  usuario_id uuid not null,
  articulos jsonb not null,
  datos jsonb,
  version integer default 1 not null,
  creado_en timestamp with time zone default now() not null,
  actualizado_en timestamp with time zone default now() not null,
  constraint nota_draft_pkey PRIMARY KEY (id),
  constraint nota_draft_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX nota_draft_by_usuario ON public.nota_draft USING btree (usuario_id, actualizado_en DESC);

create table nota_sencilla (
  id uuid default uuidv7() not null,
  draft_id uuid not null,
  serie text not null,
  folio integer not null,
  fecha date not null,
  nombre text not null,
  apellidos text not null,
  telefono text not null,
  email text not null,
  cp text not null,
  colonia text not null,
  calle text not null,
  numero_exterior text not null,
  numero_interior text not null,
  ciudad text not null,
  municipio text not null,
  estado text not null,
  articulos jsonb not null,
  subtotal numeric(14,2) not null,
  iva numeric(14,2) not null,
  total numeric(14,2) not null,
  pdf_id uuid not null,
  usuario_id uuid not null,
  creada_en timestamp with time zone default now() not null,
  busqueda text generated always as (f_norm(((((((((((serie || '-'::text) || (folio)::text) || ' '::text) || nombre) || ' '::text) || apellidos) || ' '::text) || email) || ' '::text) || telefono))) stored,
  constraint nota_sencilla_pkey PRIMARY KEY (id),
  constraint nota_sencilla_draft_id_key UNIQUE (draft_id),
  constraint nota_sencilla_serie_folio_key UNIQUE (serie, folio),
  constraint nota_sencilla_check CHECK ((subtotal + iva) = total),
  constraint nota_sencilla_cp_check CHECK (cp ~ '^\d{5}$'::text),
  constraint nota_sencilla_folio_check CHECK (folio > 0),
  constraint nota_sencilla_telefono_check CHECK (telefono ~ '^\d{10}( ext\. \d{1,6})?$'::text),
  constraint nota_sencilla_total_check CHECK (total > 0::numeric),
  constraint nota_sencilla_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES nota_draft(id),
  constraint nota_sencilla_pdf_id_fkey FOREIGN KEY (pdf_id) REFERENCES archivo(id),
  constraint nota_sencilla_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX nota_sencilla_by_fecha ON public.nota_sencilla USING btree (fecha DESC, id DESC) INCLUDE (total);
CREATE INDEX nota_sencilla_search ON public.nota_sencilla USING gin (busqueda gin_trgm_ops);

create table oauth_state (
  state_hash bytea not null,
  connection text not null,
  sealed bytea not null,
  usuario_id uuid not null,
  expires_at timestamp with time zone not null,
  sesion_hash bytea,
  constraint oauth_state_pkey PRIMARY KEY (state_hash),
  constraint oauth_state_sesion_hash_fkey FOREIGN KEY (sesion_hash) REFERENCES sesion(token_hash) ON DELETE CASCADE,
  constraint oauth_state_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX oauth_state_by_sesion ON public.oauth_state USING btree (sesion_hash);

create table oferta (
  producto_id uuid not null,
  precio numeric(18,6),
  moneda text,
  sin_precio text,
  tipo_cambio numeric(18,6),
  existencia integer,
  tope boolean not null,
  almacenes jsonb not null,
  promociones jsonb not null,
  raw jsonb not null,
  huella text not null,
  leida_en timestamp with time zone not null,
  precio_en timestamp with time zone,
  existencia_en timestamp with time zone,
  constraint oferta_pkey PRIMARY KEY (producto_id),
  constraint oferta_check CHECK ((precio IS NULL) = (moneda IS NULL)),
  constraint oferta_check1 CHECK ((precio IS NULL) = (sin_precio IS NOT NULL)),
  constraint oferta_existencia_check CHECK (existencia >= 0),
  constraint oferta_moneda_check CHECK (moneda = ANY (ARRAY['MXN'::text, 'USD'::text])),
  constraint oferta_precio_check CHECK (precio > 0::numeric),
  constraint oferta_sin_precio_check CHECK (sin_precio = ANY (ARRAY['sinDistribucion'::text, 'proyecto'::text, 'cero'::text, 'ilegible'::text, 'moneda'::text])),
  constraint oferta_tipo_cambio_check CHECK (tipo_cambio > 0::numeric),
  constraint oferta_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE
);
CREATE INDEX oferta_by_existencia ON public.oferta USING btree (COALESCE(existencia, '-1'::integer), producto_id);
CREATE TRIGGER oferta_counted AFTER INSERT ON oferta REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION oferta_counted();
CREATE TRIGGER oferta_moved AFTER UPDATE ON oferta REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION oferta_moved();
CREATE TRIGGER oferta_recounted AFTER UPDATE ON oferta REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION oferta_recounted();

create table orden (
  id uuid default uuidv7() not null,
  market text not null,
  market_id text not null,
  num_orden text not null,
  pack_id text,
  fecha_creacion timestamp with time zone not null,
  fecha_cierre timestamp with time zone,
  actualizada_en timestamp with time zone not null,
  estatus text not null,
  market_status text not null,
  tags text[] default '{}'::text[] not null,
  clase text not null,
  meli_resale boolean default false not null,
  titulo text not null,
  total numeric(14,2) not null,
  pagado_abs numeric(14,2) not null,
  pagado numeric(14,2) generated always as (
CASE
    WHEN (clase = ANY (ARRAY['cancelada'::text, 'devuelta'::text])) THEN (0)::numeric
    ELSE pagado_abs
END) stored,
  comision numeric(14,2),
  retencion numeric(14,2),
  envio_adicional numeric(14,2) default 0 not null,
  envio_id uuid,
  envio_propio boolean default false not null,
  medio_pago text,
  forma_pago text,
  comprador_id text,
  comprador text,
  billing_info_id text,
  datos jsonb not null,
  creada_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  revisar_en timestamp with time zone,
  revisiones smallint default 0 not null,
  facturado numeric(14,2) default 0 not null,
  facturas_proveedor integer default 0 not null,
  costo_envio numeric(14,2) default 0 not null,
  proveedor text,
  documentos text default ''::text not null,
  busqueda text generated always as (f_norm((((((num_orden ||
CASE
    WHEN (market_id = num_orden) THEN ''::text
    ELSE (' '::text || market_id)
END) || ' '::text) || titulo) || ' '::text) || documentos))) stored,
  situacion text not null,
  envio_en_pagos numeric(14,2) default 0 not null,
  envio_carrito numeric(14,2) default 0 not null,
  comision_leida numeric(14,2),
  cargos_en timestamp with time zone,
  liberacion_en timestamp with time zone,
  cambio_en timestamp with time zone,
  acordada boolean default false not null,
  liquidado numeric(14,2),
  utilidad numeric(14,2) generated always as (
CASE
    WHEN (facturas_proveedor > 0) THEN (COALESCE((liquidado -
    CASE
        WHEN envio_propio THEN costo_envio
        ELSE (0)::numeric
    END), (((
    CASE
        WHEN (clase = ANY (ARRAY['cancelada'::text, 'devuelta'::text])) THEN (0)::numeric
        ELSE pagado_abs
    END - costo_envio) - comision) - COALESCE(retencion, (0)::numeric))) - facturado)
    ELSE NULL::numeric
END) stored,
  cupon numeric(14,2) default 0,
  en_pie numeric(14,2),
  conservada boolean default false not null,
  constraint orden_pkey PRIMARY KEY (id),
  constraint orden_market_market_id_key UNIQUE (market, market_id),
  constraint orden_clase_check CHECK (clase = ANY (ARRAY['normal'::text, 'cancelada'::text, 'devuelta'::text, 'invalida'::text])),
  constraint orden_cupon_check CHECK (cupon >= 0::numeric),
  constraint orden_estatus_check CHECK (estatus = ANY (ARRAY['enPreparacion'::text, 'cobroPendiente'::text, 'autorizandoPago'::text, 'cancelado'::text, 'enviado'::text, 'entregado'::text, 'not_delivered'::text, 'enDevolucion'::text, 'devuelto'::text, 'cobroRequerido'::text, 'demorado'::text, 'reclamo'::text, 'enviadoPartes'::text, 'facturaPendiente'::text, 'pagado'::text, 'enCamino'::text, 'enSucursal'::text])),
  constraint orden_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint orden_situacion_check CHECK (situacion = ANY (ARRAY['cobroPendiente'::text, 'autorizandoPago'::text, 'pagada'::text, 'devueltaEnParte'::text, 'devuelta'::text, 'cancelada'::text, 'invalida'::text, 'desconocida'::text])),
  constraint orden_envio_id_fkey FOREIGN KEY (envio_id) REFERENCES envio(id)
) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000, autovacuum_vacuum_scale_factor=0.01, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX orden_activas ON public.orden USING btree (fecha_creacion DESC, id DESC) WHERE (estatus = 'enPreparacion'::text);
CREATE INDEX orden_by_comprador ON public.orden USING btree (market, comprador_id, fecha_creacion DESC) WHERE (comprador_id IS NOT NULL);
CREATE INDEX orden_by_num_orden ON public.orden USING btree (num_orden);
CREATE INDEX orden_canceladas ON public.orden USING btree (fecha_creacion DESC, id DESC) INCLUDE (pagado_abs) WHERE (clase = ANY (ARRAY['cancelada'::text, 'devuelta'::text]));
CREATE INDEX orden_en_pie ON public.orden USING btree (fecha_creacion DESC, id DESC) WHERE (en_pie > (0)::numeric);
CREATE INDEX orden_facturable ON public.orden USING btree (fecha_creacion, id) INCLUDE (pack_id, num_orden, market, pagado_abs, busqueda) WHERE (
CASE
    WHEN (clase = 'cancelada'::text) THEN 'cancelada'::text
    WHEN (clase = 'devuelta'::text) THEN 'devuelta'::text
    WHEN meli_resale THEN 'meliResale'::text
    WHEN (situacion <> ALL (ARRAY['pagada'::text, 'devueltaEnParte'::text, 'devuelta'::text])) THEN 'sinPagar'::text
    WHEN (pagado_abs <= (0)::numeric) THEN 'sinImporte'::text
    ELSE NULL::text
END IS NULL);
CREATE INDEX orden_first_of_envio ON public.orden USING btree (envio_id, market_id) INCLUDE (clase) WHERE (envio_id IS NOT NULL);
CREATE INDEX orden_por_cotizar ON public.orden USING btree (fecha_creacion DESC, id DESC) INCLUDE (pagado_abs, clase, costo_envio) WHERE (envio_propio AND (estatus = ANY (ARRAY['cobroRequerido'::text, 'enPreparacion'::text])) AND (situacion <> 'cancelada'::text));
CREATE INDEX orden_por_revisar ON public.orden USING btree (revisar_en) WHERE (revisar_en IS NOT NULL);
CREATE INDEX orden_search ON public.orden USING gin (busqueda gin_trgm_ops) WITH (gin_pending_list_limit='512');
CREATE INDEX orden_sin_factura ON public.orden USING btree (fecha_creacion DESC, id DESC) INCLUDE (estatus, pagado, busqueda) WHERE (facturas_proveedor = 0);
CREATE INDEX orden_utilidad ON public.orden USING btree (fecha_creacion DESC, id DESC) INCLUDE (clase, pagado, pagado_abs, comision, costo_envio, retencion, facturado, utilidad, proveedor);
CREATE INDEX orden_walk ON public.orden USING btree (fecha_creacion DESC, id DESC) INCLUDE (busqueda, clase, estatus, pagado, pagado_abs, facturado);
CREATE TRIGGER gancho_orden_actualizada AFTER UPDATE ON orden REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_orden_actualizada();
CREATE TRIGGER gancho_orden_creada AFTER INSERT ON orden REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_orden_creada();
CREATE TRIGGER orden_comprador_added BEFORE INSERT ON orden FOR EACH ROW EXECUTE FUNCTION orden_comprador_added();
CREATE TRIGGER orden_comprador_changed BEFORE UPDATE OF comprador, envio_id, datos ON orden FOR EACH ROW WHEN (old.comprador IS DISTINCT FROM new.comprador OR old.envio_id IS DISTINCT FROM new.envio_id OR (old.datos -> 'buyer'::text) IS DISTINCT FROM (new.datos -> 'buyer'::text)) EXECUTE FUNCTION orden_comprador_changed();
CREATE TRIGGER orden_costo_envio_added AFTER INSERT ON orden REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION costo_envio_of_ordenes();
CREATE TRIGGER orden_costo_envio_changed AFTER UPDATE ON orden REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION costo_envio_of_ordenes();
CREATE TRIGGER orden_libro_added AFTER INSERT ON orden REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_ordenes();
CREATE TRIGGER orden_libro_changed AFTER UPDATE ON orden REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_ordenes();
CREATE TRIGGER orden_moved AFTER UPDATE ON orden REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION orden_moved();
CREATE TRIGGER orden_posted_added AFTER INSERT ON orden REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_dinero();
CREATE TRIGGER orden_posted_changed AFTER UPDATE ON orden REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_dinero();

create table orden_comision (
  orden_id uuid not null,
  dicha numeric(14,2) not null,
  comision numeric(14,2) not null,
  cobrado numeric(14,2) not null,
  dicha_en timestamp with time zone not null,
  constraint orden_comision_pkey PRIMARY KEY (orden_id),
  constraint orden_comision_cobrado_check CHECK (cobrado > 0::numeric),
  constraint orden_comision_comision_check CHECK (comision >= 0::numeric),
  constraint orden_comision_dicha_check CHECK (dicha >= 0::numeric),
  constraint orden_comision_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE
);
CREATE TRIGGER orden_comision_posted_added AFTER INSERT ON orden_comision REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_comisiones();
CREATE TRIGGER orden_comision_posted_changed AFTER UPDATE ON orden_comision REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_comisiones();

create table orden_por_nombrar (
  antes_de uuid not null,
  constraint orden_por_nombrar_pkey PRIMARY KEY (antes_de)
);

create table pago (
  id uuid default uuidv7() not null,
  proveedor text not null,
  folio text not null,
  fecha date,
  total numeric(14,2),
  clave_rastreo text,
  banco text,
  usuario_id uuid,
  version integer default 1 not null,
  creado_en timestamp with time zone default now() not null,
  busqueda text generated always as (f_norm(((((((proveedor || ' '::text) || folio) || ' '::text) || COALESCE(clave_rastreo, ''::text)) || ' '::text) || COALESCE(banco, ''::text)))) stored,
  constraint pago_pkey PRIMARY KEY (id),
  constraint pago_banco_check CHECK (banco <> ''::text),
  constraint pago_clave_rastreo_check CHECK (clave_rastreo <> ''::text),
  constraint pago_folio_check CHECK (folio <> ''::text),
  constraint pago_total_check CHECK (total > 0::numeric),
  constraint pago_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value),
  constraint pago_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE UNIQUE INDEX pago_by_clave ON public.pago USING btree (upper(clave_rastreo)) WHERE (clave_rastreo IS NOT NULL);
CREATE INDEX pago_by_fecha ON public.pago USING btree (fecha) WHERE (fecha IS NOT NULL);
CREATE UNIQUE INDEX pago_by_folio ON public.pago USING btree (proveedor, lower(folio));
CREATE INDEX pago_by_folio_solo ON public.pago USING btree (lower(folio));
CREATE INDEX pago_list ON public.pago USING btree (creado_en DESC, id DESC);
CREATE INDEX pago_search ON public.pago USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER pago_paga AFTER UPDATE OF total, proveedor ON pago FOR EACH ROW WHEN (old.total IS DISTINCT FROM new.total OR old.proveedor IS DISTINCT FROM new.proveedor) EXECUTE FUNCTION paga_of_pago();

create table pago_archivo (
  pago_id uuid not null,
  archivo_id uuid not null,
  nombre text not null,
  lectura jsonb,
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  constraint pago_archivo_pkey PRIMARY KEY (pago_id, archivo_id),
  constraint pago_archivo_nombre_check CHECK (nombre <> ''::text),
  constraint pago_archivo_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint pago_archivo_pago_id_fkey FOREIGN KEY (pago_id) REFERENCES pago(id) ON DELETE CASCADE,
  constraint pago_archivo_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX pago_archivo_by_archivo ON public.pago_archivo USING btree (archivo_id);
CREATE INDEX pago_archivo_by_clave ON public.pago_archivo USING btree (upper((lectura ->> 'claveRastreo'::text))) WHERE (lectura IS NOT NULL);

create table pago_orden (
  pago_id uuid not null,
  orden_id uuid not null,
  monto numeric(14,2),
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  constraint pago_orden_pkey PRIMARY KEY (pago_id, orden_id),
  constraint pago_orden_monto_check CHECK (monto > 0::numeric),
  constraint pago_orden_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id) ON DELETE CASCADE,
  constraint pago_orden_pago_id_fkey FOREIGN KEY (pago_id) REFERENCES pago(id) ON DELETE CASCADE,
  constraint pago_orden_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX pago_orden_by_orden ON public.pago_orden USING btree (orden_id);
CREATE TRIGGER pago_orden_paga_added AFTER INSERT ON pago_orden REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION paga_of_ordenes();
CREATE TRIGGER pago_orden_paga_changed AFTER UPDATE ON pago_orden REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION paga_of_ordenes();
CREATE TRIGGER pago_orden_paga_removed AFTER DELETE ON pago_orden REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION paga_of_ordenes();

create table pedido (
  id uuid default uuidv7() not null,
  numero integer generated always as identity not null,
  folio text generated always as (('TR-'::text || lpad((numero)::text, 6, '0'::text))) stored not null,
  market text not null,
  num_orden text not null,
  proveedor text not null,
  estado text default 'borrador'::text not null,
  via text not null,
  almacen text,
  folio_proveedor text,
  total numeric(14,2),
  moneda text,
  errores text[] default '{}'::text[] not null,
  correos text[] default '{}'::text[] not null,
  dice text,
  automatico boolean default false not null,
  motivo text,
  detalle text,
  movido_por uuid,
  vence_en timestamp with time zone,
  solicitado_en timestamp with time zone,
  confirmado_en timestamp with time zone,
  guia_por text,
  guia_enviada_en timestamp with time zone,
  correo_en timestamp with time zone,
  factura_folio text,
  factura_uuid text,
  factura_total numeric(14,2),
  factura_moneda text,
  factura_en timestamp with time zone,
  respuesta jsonb,
  revisar_en timestamp with time zone,
  descartado_en timestamp with time zone,
  version integer default 1 not null,
  creado_en timestamp with time zone default now() not null,
  cambiado_en timestamp with time zone default now() not null,
  facturado_aqui boolean default false not null,
  constraint pedido_pkey PRIMARY KEY (id),
  constraint pedido_numero_key UNIQUE (numero),
  constraint pedido_check CHECK ((guia_por IS NULL) = (guia_enviada_en IS NULL)),
  constraint pedido_check1 CHECK ((estado <> ALL (ARRAY['borrador'::text, 'enviando'::text, 'incierto'::text])) OR folio_proveedor IS NULL),
  constraint pedido_estado_check CHECK (estado = ANY (ARRAY['borrador'::text, 'enviando'::text, 'incierto'::text, 'solicitado'::text, 'confirmado'::text, 'facturado'::text, 'guiaEnviada'::text, 'enviado'::text, 'cancelado'::text, 'rechazado'::text, 'vencido'::text])),
  constraint pedido_factura_moneda_check CHECK (factura_moneda = ANY (ARRAY['MXN'::text, 'USD'::text])),
  constraint pedido_folio_proveedor_check CHECK (folio_proveedor <> ''::text),
  constraint pedido_guia_por_check CHECK (guia_por = ANY (ARRAY['pedido'::text, 'api'::text, 'correo'::text])),
  constraint pedido_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint pedido_moneda_check CHECK (moneda = ANY (ARRAY['MXN'::text, 'USD'::text])),
  constraint pedido_total_check CHECK (total >= 0::numeric),
  constraint pedido_via_check CHECK (via = ANY (ARRAY['api'::text, 'correo'::text])),
  constraint pedido_movido_por_fkey FOREIGN KEY (movido_por) REFERENCES usuario(id),
  constraint pedido_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);
CREATE INDEX pedido_anunciado ON public.pedido USING btree (factura_en, id) WHERE ((NOT facturado_aqui) AND (factura_folio IS NOT NULL));
CREATE INDEX pedido_by_confirmar ON public.pedido USING btree (proveedor, creado_en DESC) WHERE ((descartado_en IS NULL) AND (estado = ANY (ARRAY['borrador'::text, 'enviando'::text, 'incierto'::text, 'solicitado'::text, 'rechazado'::text, 'vencido'::text])));
CREATE INDEX pedido_by_facturado ON public.pedido USING btree (factura_en) WHERE (factura_en IS NOT NULL);
CREATE INDEX pedido_by_folio ON public.pedido USING btree (lower(folio));
CREATE UNIQUE INDEX pedido_by_folio_proveedor ON public.pedido USING btree (proveedor, folio_proveedor) WHERE (folio_proveedor IS NOT NULL);
CREATE INDEX pedido_by_revisar ON public.pedido USING btree (revisar_en) WHERE (revisar_en IS NOT NULL);
CREATE INDEX pedido_by_su_folio ON public.pedido USING btree (lower(folio_proveedor)) WHERE (folio_proveedor IS NOT NULL);
CREATE INDEX pedido_by_venta ON public.pedido USING btree (market, num_orden);
CREATE INDEX pedido_list ON public.pedido USING btree (proveedor, creado_en DESC, id DESC);
CREATE INDEX pedido_sin_factura ON public.pedido USING btree (creado_en) INCLUDE (proveedor, estado, total, moneda) WHERE (NOT facturado_aqui);
CREATE UNIQUE INDEX pedido_vivo ON public.pedido USING btree (market, num_orden, proveedor) WHERE (estado <> ALL (ARRAY['cancelado'::text, 'rechazado'::text, 'vencido'::text]));
CREATE TRIGGER gancho_pedido_actualizado AFTER UPDATE ON pedido REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_pedido_actualizado();
CREATE TRIGGER gancho_pedido_creado AFTER INSERT ON pedido REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_pedido_creado();
CREATE TRIGGER pedido_moved AFTER INSERT OR UPDATE OF estado ON pedido FOR EACH ROW EXECUTE FUNCTION pedido_moved();
CREATE TRIGGER pedido_posted AFTER UPDATE ON pedido REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_pedidos();

create table pedido_historia (
  id bigint generated always as identity not null,
  pedido_id uuid not null,
  de text,
  a text not null,
  en timestamp with time zone default now() not null,
  usuario_id uuid,
  detalle text,
  constraint pedido_historia_pkey PRIMARY KEY (id),
  constraint pedido_historia_paso FOREIGN KEY (de, a) REFERENCES pedido_paso(de, a),
  constraint pedido_historia_pedido_id_fkey FOREIGN KEY (pedido_id) REFERENCES pedido(id) ON DELETE CASCADE,
  constraint pedido_historia_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX pedido_historia_by_pedido ON public.pedido_historia USING btree (pedido_id, id);

create table pedido_linea (
  pedido_id uuid not null,
  posicion smallint not null,
  orden_id uuid not null,
  producto_id uuid,
  id_proveedor text not null,
  modelo text,
  descripcion text not null,
  cantidad integer not null,
  precio numeric(18,6),
  moneda text,
  tipo_cambio numeric(18,6),
  constraint pedido_linea_pkey PRIMARY KEY (pedido_id, posicion),
  constraint pedido_linea_cantidad_check CHECK (cantidad > 0),
  constraint pedido_linea_check CHECK ((precio IS NULL) = (moneda IS NULL)),
  constraint pedido_linea_id_proveedor_check CHECK (id_proveedor <> ''::text),
  constraint pedido_linea_moneda_check CHECK (moneda = ANY (ARRAY['MXN'::text, 'USD'::text])),
  constraint pedido_linea_precio_check CHECK (precio > 0::numeric),
  constraint pedido_linea_tipo_cambio_check CHECK (tipo_cambio > 0::numeric),
  constraint pedido_linea_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id),
  constraint pedido_linea_pedido_id_fkey FOREIGN KEY (pedido_id) REFERENCES pedido(id) ON DELETE CASCADE,
  constraint pedido_linea_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id)
);
CREATE INDEX pedido_linea_by_orden ON public.pedido_linea USING btree (orden_id);
CREATE INDEX pedido_linea_by_producto ON public.pedido_linea USING btree (producto_id) WHERE (producto_id IS NOT NULL);
CREATE TRIGGER pedido_linea_factura AFTER INSERT ON pedido_linea REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION facturado_aqui_of_lineas();
CREATE TRIGGER pedido_linea_posted_added AFTER INSERT ON pedido_linea REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_costos();
CREATE TRIGGER pedido_linea_posted_changed AFTER UPDATE ON pedido_linea REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_costos();
CREATE TRIGGER pedido_linea_posted_removed AFTER DELETE ON pedido_linea REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION libro_of_costos();

create table pedido_paso (
  de text not null,
  a text not null,
  constraint pedido_paso_pkey PRIMARY KEY (de, a)
);

create table plantilla (
  id uuid default uuidv7() not null,
  nombre text not null,
  texto text not null,
  version integer default 1 not null,
  creada_en timestamp with time zone default now() not null,
  constraint plantilla_pkey PRIMARY KEY (id),
  constraint plantilla_nombre_check CHECK (nombre <> ''::text),
  constraint plantilla_texto_check CHECK (texto <> ''::text)
);
CREATE UNIQUE INDEX plantilla_by_nombre ON public.plantilla USING btree (f_norm(nombre));

create table plazo_segundo_factor (
  usuario_id uuid not null,
  desde timestamp with time zone default now() not null,
  constraint plazo_segundo_factor_pkey PRIMARY KEY (usuario_id),
  constraint plazo_segundo_factor_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);

create table por_probar (
  token_hash bytea not null,
  sesion_hash bytea not null,
  ruta text not null,
  sellado bytea not null,
  vence_en timestamp with time zone not null,
  constraint por_probar_pkey PRIMARY KEY (token_hash),
  constraint por_probar_sesion_hash_fkey FOREIGN KEY (sesion_hash) REFERENCES sesion(token_hash) ON DELETE CASCADE
);
CREATE INDEX por_probar_by_sesion ON public.por_probar USING btree (sesion_hash);
CREATE INDEX por_probar_by_vence ON public.por_probar USING btree (vence_en);

create table preferencia (
  usuario_id uuid not null,
  apariencia text default 'sistema'::text not null,
  densidad text default 'normal'::text not null,
  cajon_plegado boolean default false not null,
  plegados text[] default '{reportes,configuracion}'::text[] not null,
  teclas boolean default true not null,
  fijados text[] default '{}'::text[] not null,
  paneles_anchos text[] default '{cliente,datosporventa}'::text[] not null,
  etiquetas text default 'pdf'::text not null,
  recorrido boolean default true not null,
  inicio text,
  orden_de_hoy text[] default '{}'::text[] not null,
  cartas_aparte text[] default '{}'::text[] not null,
  constraint preferencia_pkey PRIMARY KEY (usuario_id),
  constraint preferencia_apariencia_check CHECK (apariencia = ANY (ARRAY['sistema'::text, 'claro'::text, 'oscuro'::text])),
  constraint preferencia_densidad_check CHECK (densidad = ANY (ARRAY['compacta'::text, 'normal'::text, 'amplia'::text])),
  constraint preferencia_etiquetas_check CHECK (etiquetas = ANY (ARRAY['pdf'::text, 'zpl'::text])),
  constraint preferencia_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);

create table pregunta (
  id uuid default uuidv7() not null,
  market text not null,
  market_id text not null,
  publicacion_id text not null,
  titulo text,
  marca text,
  modelo text,
  sku text,
  enlace text,
  comprador_id text,
  texto text not null,
  estatus text not null,
  retenida boolean default false not null,
  respuesta text,
  respondida_en timestamp with time zone,
  respondida_por uuid,
  fecha timestamp with time zone not null,
  leida_en timestamp with time zone not null,
  creada_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  datos jsonb not null,
  norma text generated always as (f_norm(texto)) stored,
  busqueda text generated always as (f_norm(((((((((((((market_id || ' '::text) || publicacion_id) || ' '::text) || COALESCE(titulo, ''::text)) || ' '::text) || COALESCE(sku, ''::text)) || ' '::text) || COALESCE(comprador_id, ''::text)) || ' '::text) || texto) || ' '::text) || COALESCE(respuesta, ''::text)))) stored,
  constraint pregunta_pkey PRIMARY KEY (id),
  constraint pregunta_market_market_id_key UNIQUE (market, market_id),
  constraint pregunta_estatus_check CHECK (estatus = ANY (ARRAY['pendiente'::text, 'respondida'::text, 'cerrada'::text, 'enRevision'::text, 'retirada'::text, 'borrada'::text, 'desactivada'::text, 'desconocida'::text])),
  constraint pregunta_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint pregunta_market_id_check CHECK (market_id <> ''::text),
  constraint pregunta_publicacion_id_check CHECK (publicacion_id <> ''::text),
  constraint pregunta_respondida_por_fkey FOREIGN KEY (respondida_por) REFERENCES usuario(id)
);
CREATE INDEX pregunta_by_comprador ON public.pregunta USING btree (market, comprador_id, fecha DESC) WHERE (comprador_id IS NOT NULL);
CREATE INDEX pregunta_list ON public.pregunta USING btree (fecha DESC, id DESC) INCLUDE (estatus, respondida_en);
CREATE INDEX pregunta_pendiente ON public.pregunta USING btree (publicacion_id, fecha) WHERE (estatus = 'pendiente'::text);
CREATE INDEX pregunta_respondida ON public.pregunta USING btree (market, publicacion_id, respondida_en DESC) WHERE (estatus = 'respondida'::text);
CREATE INDEX pregunta_search ON public.pregunta USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER gancho_pregunta_nueva AFTER INSERT ON pregunta REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_pregunta_nueva();

create table presencia (
  que text not null,
  usuario_id uuid not null,
  escribe boolean not null,
  visto_en timestamp with time zone default now() not null,
  constraint presencia_pkey PRIMARY KEY (que, usuario_id),
  constraint presencia_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);

create table producto (
  id uuid default uuidv7() not null,
  proveedor text not null,
  id_proveedor text not null,
  modelo text,
  modelo_fabricante text,
  nombre text,
  marca text,
  gtins text[] default '{}'::text[] not null,
  clave_sat text,
  imagenes text[] default '{}'::text[] not null,
  link text,
  en_venta boolean not null,
  huella text not null,
  ausencias smallint default 0 not null,
  ausente_desde timestamp with time zone,
  creado_en timestamp with time zone default now() not null,
  cambiado_en timestamp with time zone default now() not null,
  auto_orden boolean default false not null,
  costo_envio numeric(14,2),
  producto_maximo integer,
  precio_lista numeric(14,2),
  piezas_vendidas integer default 0 not null,
  version integer default 1 not null,
  busqueda text generated always as (f_norm(((((((((((id_proveedor || ' '::text) || COALESCE(modelo, ''::text)) || ' '::text) || COALESCE(modelo_fabricante, ''::text)) || ' '::text) || COALESCE(marca, ''::text)) || ' '::text) || COALESCE(nombre, ''::text)) || ' '::text) || f_lista(gtins)))) stored,
  visto_hasta timestamp with time zone,
  llaves text[] generated always as (producto_llaves(marca, modelo_fabricante, gtins)) stored not null,
  constraint producto_pkey PRIMARY KEY (id),
  constraint producto_proveedor_id_proveedor_key UNIQUE (proveedor, id_proveedor),
  constraint producto_ausencias_check CHECK (ausencias >= 0),
  constraint producto_check CHECK (ausente_desde IS NULL OR ausencias > 0),
  constraint producto_costo_envio_check CHECK (costo_envio >= 0::numeric),
  constraint producto_id_proveedor_check CHECK (id_proveedor <> ''::text),
  constraint producto_piezas_vendidas_check CHECK (piezas_vendidas >= 0),
  constraint producto_precio_lista_check CHECK (precio_lista > 0::numeric),
  constraint producto_producto_maximo_check CHECK (producto_maximo > 0),
  constraint producto_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);
CREATE INDEX producto_by_llaves ON public.producto USING gin (llaves);
CREATE INDEX producto_by_modelo ON public.producto USING btree (proveedor, lower(modelo)) WHERE (modelo IS NOT NULL);
CREATE INDEX producto_list ON public.producto USING btree (piezas_vendidas, id);
CREATE INDEX producto_list_of ON public.producto USING btree (proveedor, piezas_vendidas, id);
CREATE INDEX producto_no_visto ON public.producto USING btree (proveedor) WHERE (visto_hasta IS NOT NULL);
CREATE INDEX producto_search ON public.producto USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER producto_moved AFTER UPDATE ON producto REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION producto_moved();

create table producto_cuenta (
  proveedor text not null,
  existencia text not null,
  cuantos integer not null,
  constraint producto_cuenta_existencia_check CHECK (existencia = ANY (ARRAY['con'::text, 'sin'::text, 'sinDato'::text])),
  constraint producto_cuenta_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value)
);

create table producto_foto (
  id uuid default uuidv7() not null,
  producto_id uuid not null,
  origen text,
  posicion integer default 0 not null,
  llave uuid default gen_random_uuid() not null,
  archivo_id uuid,
  ancho integer,
  alto integer,
  problema text,
  inalcanzable boolean default false not null,
  mirada_en timestamp with time zone,
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  constraint producto_foto_pkey PRIMARY KEY (id),
  constraint producto_foto_llave_key UNIQUE (llave),
  constraint producto_foto_producto_id_origen_key UNIQUE (producto_id, origen),
  constraint producto_foto_check CHECK (origen IS NOT NULL OR archivo_id IS NOT NULL),
  constraint producto_foto_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint producto_foto_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE,
  constraint producto_foto_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX producto_foto_by_archivo ON public.producto_foto USING btree (archivo_id);

create table producto_historia (
  id bigint generated always as identity not null,
  producto_id uuid not null,
  en timestamp with time zone not null,
  precio numeric(18,6),
  moneda text,
  existencia integer,
  constraint producto_historia_pkey PRIMARY KEY (id),
  constraint producto_historia_moneda_check CHECK (moneda = ANY (ARRAY['MXN'::text, 'USD'::text])),
  constraint producto_historia_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE
);
CREATE INDEX producto_historia_by_en ON public.producto_historia USING btree (en);
CREATE INDEX producto_historia_by_producto ON public.producto_historia USING btree (producto_id, en);

create table producto_par (
  uno uuid not null,
  otro uuid not null,
  igual boolean not null,
  usuario_id uuid,
  en timestamp with time zone default now() not null,
  constraint producto_par_pkey PRIMARY KEY (uno, otro),
  constraint producto_par_check CHECK (uno < otro),
  constraint producto_par_otro_fkey FOREIGN KEY (otro) REFERENCES producto(id) ON DELETE CASCADE,
  constraint producto_par_uno_fkey FOREIGN KEY (uno) REFERENCES producto(id) ON DELETE CASCADE,
  constraint producto_par_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX producto_par_by_otro ON public.producto_par USING btree (otro);

create table producto_retrato (
  producto_id uuid not null,
  llave uuid,
  miniatura bytea,
  origen text,
  problema text,
  mirada_en timestamp with time zone,
  vence_en timestamp with time zone default (now() + '00:10:00'::interval) not null,
  constraint producto_retrato_pkey PRIMARY KEY (producto_id),
  constraint producto_retrato_llave_key UNIQUE (llave),
  constraint producto_retrato_check CHECK ((llave IS NULL) = (miniatura IS NULL) AND (llave IS NULL) = (origen IS NULL)),
  constraint producto_retrato_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE
);
CREATE INDEX producto_retrato_by_espera ON public.producto_retrato USING btree (vence_en) WHERE (mirada_en IS NULL);

create table proveedor (
  value text not null,
  label text not null,
  link_home text,
  link_productos text,
  link_factura text,
  regla_factura text default 'base'::text not null,
  sufijo_factura text,
  rfc text,
  email text,
  activo boolean default true not null,
  version integer default 1 not null,
  crear_pedido boolean default true not null,
  comprar_sin_confirmar boolean default false not null,
  compra jsonb default '{}'::jsonb not null,
  plazo_dias integer,
  constraint proveedor_pkey PRIMARY KEY (value),
  constraint proveedor_label_check CHECK (label = btrim(label) AND label <> ''::text),
  constraint proveedor_plazo_dias_check CHECK (plazo_dias >= 0 AND plazo_dias <= 365),
  constraint proveedor_regla_factura_check CHECK (regla_factura = ANY (ARRAY['ninguna'::text, 'base'::text, 'guion'::text, 'sufijo'::text])),
  constraint proveedor_value_check CHECK (value ~ '^[a-z0-9]{2,20}$'::text)
);
CREATE UNIQUE INDEX proveedor_by_rfc ON public.proveedor USING btree (rfc) WHERE (rfc IS NOT NULL);
CREATE TRIGGER proveedor_renamed AFTER UPDATE OF label ON proveedor FOR EACH ROW WHEN (old.label IS DISTINCT FROM new.label) EXECUTE FUNCTION proveedor_renamed();

create table proveedor_cfdi (
  id uuid default uuidv7() not null,
  uuid text not null,
  archivo_id uuid not null,
  proveedor text,
  emisor_rfc text not null,
  emisor_nombre text not null,
  folio text not null,
  fecha timestamp with time zone not null,
  total numeric(14,2) not null,
  conceptos jsonb not null,
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  descartado_en timestamp with time zone,
  base16 numeric(14,2),
  iva16 numeric(14,2),
  base8 numeric(14,2),
  iva8 numeric(14,2),
  base0 numeric(14,2),
  exento numeric(14,2),
  no_objeto numeric(14,2),
  iva_retenido numeric(14,2),
  lugar text,
  sin_impuestos text,
  tipo text default 'I'::text not null,
  metodo_pago text,
  tipo_relacion text,
  relacionados text[] default '{}'::text[] not null,
  constraint proveedor_cfdi_pkey PRIMARY KEY (id),
  constraint proveedor_cfdi_uuid_key UNIQUE (uuid),
  constraint proveedor_cfdi_base0_check CHECK (base0 >= 0::numeric),
  constraint proveedor_cfdi_base16_check CHECK (base16 >= 0::numeric),
  constraint proveedor_cfdi_base8_check CHECK (base8 >= 0::numeric),
  constraint proveedor_cfdi_exento_check CHECK (exento >= 0::numeric),
  constraint proveedor_cfdi_impuestos CHECK (num_nonnulls(base16, iva16, base8, iva8, base0, exento, no_objeto, iva_retenido) =
CASE
    WHEN lugar IS NULL THEN 0
    ELSE 8
END AND (lugar IS NULL OR sin_impuestos IS NULL)),
  constraint proveedor_cfdi_iva16_check CHECK (iva16 >= 0::numeric),
  constraint proveedor_cfdi_iva8_check CHECK (iva8 >= 0::numeric),
  constraint proveedor_cfdi_iva_retenido_check CHECK (iva_retenido >= 0::numeric),
  constraint proveedor_cfdi_lugar_check CHECK (lugar ~ '^[0-9]{5}$'::text),
  constraint proveedor_cfdi_metodo_pago_check CHECK (metodo_pago = ANY (ARRAY['PUE'::text, 'PPD'::text, 'sinDecir'::text])),
  constraint proveedor_cfdi_no_objeto_check CHECK (no_objeto >= 0::numeric),
  constraint proveedor_cfdi_sin_impuestos_check CHECK (sin_impuestos <> ''::text),
  constraint proveedor_cfdi_tipo_check CHECK (tipo = ANY (ARRAY['I'::text, 'E'::text, 'P'::text])),
  constraint proveedor_cfdi_total_check CHECK (total >= 0::numeric),
  constraint proveedor_cfdi_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint proveedor_cfdi_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value),
  constraint proveedor_cfdi_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX proveedor_cfdi_by_creado ON public.proveedor_cfdi USING btree (creado_en DESC) WHERE (descartado_en IS NULL);
CREATE INDEX proveedor_cfdi_notas ON public.proveedor_cfdi USING btree (fecha, id) WHERE (tipo = 'E'::text);
CREATE INDEX proveedor_cfdi_por_metodo ON public.proveedor_cfdi USING btree (id) WHERE (metodo_pago IS NULL);
CREATE INDEX proveedor_cfdi_ppd ON public.proveedor_cfdi USING btree (id) WHERE (metodo_pago = 'PPD'::text);

create table proveedor_docto (
  cfdi_id uuid not null,
  posicion integer not null,
  fecha date not null,
  uuid text not null,
  folio text not null,
  moneda text not null,
  lugar text not null,
  parcialidad integer not null,
  saldo_anterior numeric(14,2) not null,
  pagado numeric(14,2) not null,
  insoluto numeric(14,2) not null,
  base16 numeric(14,2),
  iva16 numeric(14,2),
  base8 numeric(14,2),
  iva8 numeric(14,2),
  base0 numeric(14,2),
  exento numeric(14,2),
  no_objeto numeric(14,2),
  iva_retenido numeric(14,2),
  sin_impuestos text,
  constraint proveedor_docto_pkey PRIMARY KEY (cfdi_id, posicion),
  constraint proveedor_docto_impuestos CHECK (num_nonnulls(base16, iva16, base8, iva8, base0, exento, no_objeto, iva_retenido) =
CASE
    WHEN sin_impuestos IS NULL THEN 8
    ELSE 0
END),
  constraint proveedor_docto_insoluto_check CHECK (insoluto >= 0::numeric),
  constraint proveedor_docto_pagado_check CHECK (pagado >= 0::numeric),
  constraint proveedor_docto_parcialidad_check CHECK (parcialidad > 0),
  constraint proveedor_docto_saldo_anterior_check CHECK (saldo_anterior >= 0::numeric),
  constraint proveedor_docto_sin_impuestos_check CHECK (sin_impuestos <> ''::text),
  constraint proveedor_docto_cfdi_id_fkey FOREIGN KEY (cfdi_id) REFERENCES proveedor_cfdi(id) ON DELETE CASCADE
);
CREATE INDEX proveedor_docto_by_uuid ON public.proveedor_docto USING btree (uuid, fecha);

create table proveedor_elecciones (
  proveedor text not null,
  elecciones jsonb not null,
  leidas_en timestamp with time zone default now() not null,
  constraint proveedor_elecciones_pkey PRIMARY KEY (proveedor),
  constraint proveedor_elecciones_elecciones_check CHECK (jsonb_typeof(elecciones) = 'object'::text),
  constraint proveedor_elecciones_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value) ON DELETE CASCADE
);

create table proveedor_factura (
  id uuid default uuidv7() not null,
  orden_id uuid not null,
  proveedor text not null,
  folio text not null,
  monto numeric(14,2) not null,
  cfdi_id uuid,
  usuario_id uuid,
  fecha_creacion timestamp with time zone default now() not null,
  version integer default 1 not null,
  venta text default ''::text not null,
  proveedor_nombre text default ''::text not null,
  busqueda text generated always as (f_norm(((((((proveedor || ' '::text) || proveedor_nombre) || ' '::text) || folio) || ' '::text) || venta))) stored,
  emitida date,
  pagada numeric(14,2) default 0 not null,
  acreditada numeric(14,2) default 0 not null,
  constraint proveedor_factura_pkey PRIMARY KEY (id),
  constraint proveedor_factura_acreditada_check CHECK (acreditada >= 0::numeric AND acreditada <= monto),
  constraint proveedor_factura_folio_check CHECK (folio = btrim(folio) AND folio <> ''::text),
  constraint proveedor_factura_monto_check CHECK (monto >= 0::numeric),
  constraint proveedor_factura_cfdi_id_fkey FOREIGN KEY (cfdi_id) REFERENCES proveedor_cfdi(id),
  constraint proveedor_factura_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id),
  constraint proveedor_factura_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value),
  constraint proveedor_factura_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000, autovacuum_vacuum_scale_factor=0.01, autovacuum_analyze_scale_factor=0.02);
CREATE UNIQUE INDEX proveedor_factura_by_cfdi ON public.proveedor_factura USING btree (cfdi_id, orden_id) WHERE (cfdi_id IS NOT NULL);
CREATE INDEX proveedor_factura_by_documento ON public.proveedor_factura USING btree (cfdi_id) WHERE (cfdi_id IS NOT NULL);
CREATE UNIQUE INDEX proveedor_factura_by_folio ON public.proveedor_factura USING btree (orden_id, lower(folio)) INCLUDE (monto);
CREATE INDEX proveedor_factura_by_folio_solo ON public.proveedor_factura USING btree (lower(folio));
CREATE INDEX proveedor_factura_list ON public.proveedor_factura USING btree (fecha_creacion DESC, id DESC) INCLUDE (monto, busqueda);
CREATE INDEX proveedor_factura_por_pagar ON public.proveedor_factura USING btree (fecha_creacion DESC, id DESC) INCLUDE (proveedor, monto, pagada, acreditada, emitida) WHERE ((pagada + acreditada) < monto);
CREATE INDEX proveedor_factura_search ON public.proveedor_factura USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER proveedor_factura_added AFTER INSERT ON proveedor_factura REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sum_proveedor_facturas();
CREATE TRIGGER proveedor_factura_changed AFTER UPDATE ON proveedor_factura REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION sum_proveedor_facturas_both();
CREATE TRIGGER proveedor_factura_named AFTER INSERT ON proveedor_factura REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documentos_of_changed();
CREATE TRIGGER proveedor_factura_paga_added AFTER INSERT ON proveedor_factura REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION paga_of_facturas();
CREATE TRIGGER proveedor_factura_paga_changed AFTER UPDATE ON proveedor_factura REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION paga_of_facturas();
CREATE TRIGGER proveedor_factura_paga_removed AFTER DELETE ON proveedor_factura REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION paga_of_facturas();
CREATE TRIGGER proveedor_factura_posted_added AFTER INSERT ON proveedor_factura REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_costos();
CREATE TRIGGER proveedor_factura_posted_changed AFTER UPDATE ON proveedor_factura REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION libro_of_costos();
CREATE TRIGGER proveedor_factura_posted_removed AFTER DELETE ON proveedor_factura REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION libro_of_costos();
CREATE TRIGGER proveedor_factura_proveedor BEFORE INSERT OR UPDATE OF proveedor ON proveedor_factura FOR EACH ROW EXECUTE FUNCTION nombre_of_proveedor();
CREATE TRIGGER proveedor_factura_removed AFTER DELETE ON proveedor_factura REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION sum_proveedor_facturas();
CREATE TRIGGER proveedor_factura_renamed AFTER UPDATE ON proveedor_factura REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documentos_of_changed();
CREATE TRIGGER proveedor_factura_unnamed AFTER DELETE ON proveedor_factura REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION documentos_of_changed();
CREATE TRIGGER proveedor_factura_venta BEFORE INSERT ON proveedor_factura FOR EACH ROW EXECUTE FUNCTION venta_of_proveedor_factura();

create table proveedor_nota_factura (
  nota_id uuid not null,
  factura_id uuid not null,
  importe numeric(14,2) not null,
  acreditado numeric(14,2) not null,
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  constraint proveedor_nota_factura_pkey PRIMARY KEY (nota_id, factura_id),
  constraint proveedor_nota_factura_check CHECK (acreditado >= 0::numeric AND acreditado <= importe),
  constraint proveedor_nota_factura_importe_check CHECK (importe > 0::numeric),
  constraint proveedor_nota_factura_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES proveedor_factura(id),
  constraint proveedor_nota_factura_nota_id_fkey FOREIGN KEY (nota_id) REFERENCES proveedor_cfdi(id),
  constraint proveedor_nota_factura_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX proveedor_nota_factura_by_factura ON public.proveedor_nota_factura USING btree (factura_id);
CREATE TRIGGER proveedor_nota_factura_added AFTER INSERT ON proveedor_nota_factura REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION nota_moved();
CREATE TRIGGER proveedor_nota_factura_removed AFTER DELETE ON proveedor_nota_factura REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION nota_moved();

create table proveedor_nota_uso (
  id uuid default uuidv7() not null,
  nota_id uuid not null,
  factura_id uuid,
  importe numeric(14,2) not null,
  fecha date not null,
  folio text,
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  constraint proveedor_nota_uso_pkey PRIMARY KEY (id),
  constraint proveedor_nota_uso_folio_check CHECK (folio <> ''::text),
  constraint proveedor_nota_uso_importe_check CHECK (importe > 0::numeric),
  constraint proveedor_nota_uso_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES proveedor_factura(id),
  constraint proveedor_nota_uso_nota_id_fkey FOREIGN KEY (nota_id) REFERENCES proveedor_cfdi(id),
  constraint proveedor_nota_uso_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX proveedor_nota_uso_by_factura ON public.proveedor_nota_uso USING btree (factura_id) WHERE (factura_id IS NOT NULL);
CREATE INDEX proveedor_nota_uso_by_fecha ON public.proveedor_nota_uso USING btree (fecha);
CREATE INDEX proveedor_nota_uso_by_nota ON public.proveedor_nota_uso USING btree (nota_id);
CREATE TRIGGER proveedor_nota_uso_added AFTER INSERT ON proveedor_nota_uso REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION nota_moved();
CREATE TRIGGER proveedor_nota_uso_removed AFTER DELETE ON proveedor_nota_uso REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION nota_moved();

create table publicacion (
  id uuid default uuidv7() not null,
  market text not null,
  clave text not null,
  market_id text,
  sku text,
  proveedor text,
  producto_id uuid,
  titulo text not null,
  precio numeric(14,2),
  stock integer,
  vendido integer,
  estatus text not null,
  subestatus text[] default '{}'::text[] not null,
  problemas text[] default '{}'::text[] not null,
  tipo text,
  categoria_id text,
  link text,
  stock_ajeno boolean default false not null,
  variantes smallint default 0 not null,
  fecha_creacion timestamp with time zone,
  datos jsonb default '{}'::jsonb not null,
  huella text default ''::text not null,
  cambio_en timestamp with time zone,
  leida_en timestamp with time zone default now() not null,
  visto_en timestamp with time zone default now() not null,
  dicho_en timestamp with time zone,
  ausencias smallint default 0 not null,
  ausente_desde timestamp with time zone,
  auto_sync boolean default false not null,
  sobreventa integer default 0 not null,
  precio_negado numeric(14,2),
  version integer default 1 not null,
  creado_en timestamp with time zone default now() not null,
  busqueda text generated always as (f_norm(((((((clave || ' '::text) || COALESCE(market_id, ''::text)) || ' '::text) || COALESCE(sku, ''::text)) || ' '::text) || titulo))) stored,
  precio_escrito numeric(14,2),
  descripcion text,
  precio_ajeno boolean default false not null,
  descripcion_negada smallint default 0 not null,
  descripcion_pedir_en timestamp with time zone,
  piezas_ajenas integer,
  producto_alla text,
  precio_venta numeric(14,2),
  precio_venta_en timestamp with time zone,
  de_catalogo boolean,
  constraint publicacion_pkey PRIMARY KEY (id),
  constraint publicacion_market_clave_key UNIQUE (market, clave),
  constraint publicacion_ausencias_check CHECK (ausencias >= 0),
  constraint publicacion_check CHECK (ausente_desde IS NULL OR ausencias > 0),
  constraint publicacion_clave_check CHECK (clave <> ''::text),
  constraint publicacion_descripcion_negada_check CHECK (descripcion_negada >= 0),
  constraint publicacion_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint publicacion_piezas_ajenas_check CHECK (piezas_ajenas >= 0),
  constraint publicacion_precio_check CHECK (precio >= 0::numeric),
  constraint publicacion_precio_escrito_check CHECK (precio_escrito >= 0::numeric),
  constraint publicacion_precio_venta_check CHECK (precio_venta >= 0::numeric),
  constraint publicacion_sobreventa_check CHECK (sobreventa >= 0),
  constraint publicacion_stock_check CHECK (stock >= 0),
  constraint publicacion_variantes_check CHECK (variantes >= 0),
  constraint publicacion_vendido_check CHECK (vendido >= 0),
  constraint publicacion_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE SET NULL
) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=5000, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX publicacion_by_estatus ON public.publicacion USING btree (estatus, id) INCLUDE (market, auto_sync, proveedor, producto_id) WHERE (ausente_desde IS NULL);
CREATE INDEX publicacion_by_precio ON public.publicacion USING btree (precio, id);
CREATE INDEX publicacion_by_producto ON public.publicacion USING btree (producto_id) WHERE (producto_id IS NOT NULL);
CREATE INDEX publicacion_by_producto_alla ON public.publicacion USING btree (market, producto_alla) WHERE (producto_alla IS NOT NULL);
CREATE INDEX publicacion_by_proveedor ON public.publicacion USING btree (proveedor, id) INCLUDE (market, auto_sync, estatus, producto_id) WHERE (ausente_desde IS NULL);
CREATE INDEX publicacion_by_sku ON public.publicacion USING btree (lower(sku)) WHERE (sku IS NOT NULL);
CREATE INDEX publicacion_by_stock ON public.publicacion USING btree (stock, id);
CREATE INDEX publicacion_by_vendido ON public.publicacion USING btree (vendido, id);
CREATE INDEX publicacion_de_catalogo ON public.publicacion USING btree (market, id) WHERE (de_catalogo AND (ausente_desde IS NULL));
CREATE INDEX publicacion_followed ON public.publicacion USING btree (proveedor, market) WHERE auto_sync;
CREATE INDEX publicacion_list ON public.publicacion USING btree (fecha_creacion, id);
CREATE INDEX publicacion_list_of ON public.publicacion USING btree (market, fecha_creacion, id);
CREATE INDEX publicacion_search ON public.publicacion USING gin (busqueda gin_trgm_ops);
CREATE INDEX publicacion_sin_descripcion ON public.publicacion USING btree (market, descripcion_pedir_en NULLS FIRST, fecha_creacion DESC) WHERE ((descripcion IS NULL) AND (ausente_desde IS NULL));
CREATE INDEX publicacion_sin_producto ON public.publicacion USING btree (fecha_creacion, id) INCLUDE (market, auto_sync, estatus, proveedor) WHERE ((ausente_desde IS NULL) AND (producto_id IS NULL));
CREATE INDEX publicacion_sobrevendida ON public.publicacion USING btree (id) WHERE (sobreventa > 0);
CREATE INDEX publicacion_vivas ON public.publicacion USING btree (market, auto_sync, id) WHERE (ausente_desde IS NULL);

create table publicacion_barrido (
  id uuid default uuidv7() not null,
  market text not null,
  empezo_en timestamp with time zone default now() not null,
  termino_en timestamp with time zone,
  completo boolean default false not null,
  sigue text,
  vistas integer default 0 not null,
  escritas integer default 0 not null,
  ausentes integer default 0 not null,
  error text,
  constraint publicacion_barrido_pkey PRIMARY KEY (id),
  constraint publicacion_barrido_check CHECK (NOT completo OR termino_en IS NOT NULL),
  constraint publicacion_barrido_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
);
CREATE UNIQUE INDEX publicacion_barrido_abierto ON public.publicacion_barrido USING btree (market) WHERE (termino_en IS NULL);

create table publicacion_borrador (
  id uuid default uuidv7() not null,
  market text not null,
  producto_id uuid not null,
  categoria_id text,
  datos jsonb default '{}'::jsonb not null,
  problemas jsonb default '[]'::jsonb not null,
  version integer default 1 not null,
  usuario_id uuid,
  actualizado_en timestamp with time zone default now() not null,
  constraint publicacion_borrador_pkey PRIMARY KEY (id),
  constraint publicacion_borrador_market_producto_id_key UNIQUE (market, producto_id),
  constraint publicacion_borrador_categoria_id_check CHECK (categoria_id <> ''::text),
  constraint publicacion_borrador_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint publicacion_borrador_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id) ON DELETE CASCADE,
  constraint publicacion_borrador_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);

create table publicacion_competencia (
  publicacion_id uuid not null,
  lugar text,
  razones text[] default '{}'::text[] not null,
  nuestro numeric(14,2),
  para_ganar numeric(14,2),
  ganador numeric(14,2),
  comparten integer,
  leida_en timestamp with time zone,
  error text,
  error_en timestamp with time zone,
  negada smallint default 0 not null,
  pedir_en timestamp with time zone default now() not null,
  constraint publicacion_competencia_pkey PRIMARY KEY (publicacion_id),
  constraint publicacion_competencia_check CHECK ((lugar IS NULL) = (leida_en IS NULL)),
  constraint publicacion_competencia_check1 CHECK (lugar IS NOT NULL OR nuestro IS NULL AND para_ganar IS NULL AND ganador IS NULL AND comparten IS NULL),
  constraint publicacion_competencia_check2 CHECK ((error IS NULL) = (error_en IS NULL)),
  constraint publicacion_competencia_comparten_check CHECK (comparten >= 0),
  constraint publicacion_competencia_ganador_check CHECK (ganador > 0::numeric),
  constraint publicacion_competencia_lugar_check CHECK (lugar = ANY (ARRAY['gana'::text, 'comparte'::text, 'pierde'::text, 'noCompite'::text])),
  constraint publicacion_competencia_negada_check CHECK (negada >= 0),
  constraint publicacion_competencia_nuestro_check CHECK (nuestro > 0::numeric),
  constraint publicacion_competencia_para_ganar_check CHECK (para_ganar > 0::numeric),
  constraint publicacion_competencia_publicacion_id_fkey FOREIGN KEY (publicacion_id) REFERENCES publicacion(id) ON DELETE CASCADE
);
CREATE INDEX publicacion_que_pierde ON public.publicacion_competencia USING btree (publicacion_id) WHERE (lugar = 'pierde'::text);

create table publicacion_envio (
  id uuid default uuidv7() not null,
  market text not null,
  effect_id uuid not null,
  clave text not null,
  lineas jsonb not null,
  creado_en timestamp with time zone default now() not null,
  mirar_en timestamp with time zone default now() not null,
  miradas integer default 0 not null,
  termino_en timestamp with time zone,
  aceptadas integer default 0 not null,
  rechazadas integer default 0 not null,
  error text,
  constraint publicacion_envio_pkey PRIMARY KEY (id),
  constraint publicacion_envio_effect_id_key UNIQUE (effect_id),
  constraint publicacion_envio_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text]))
);
CREATE INDEX publicacion_envio_abierto ON public.publicacion_envio USING btree (mirar_en) WHERE (termino_en IS NULL);

create table publicacion_historia (
  id bigint generated always as identity not null,
  publicacion_id uuid not null,
  en timestamp with time zone default clock_timestamp() not null,
  motivo text not null,
  precio_antes numeric(14,2),
  precio numeric(14,2),
  stock_antes integer,
  stock integer,
  desde timestamp with time zone,
  effect_id uuid,
  usuario_id uuid,
  error text,
  constraint publicacion_historia_pkey PRIMARY KEY (id),
  constraint publicacion_historia_publicacion_id_fkey FOREIGN KEY (publicacion_id) REFERENCES publicacion(id) ON DELETE CASCADE,
  constraint publicacion_historia_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX publicacion_historia_by_en ON public.publicacion_historia USING btree (en);
CREATE INDEX publicacion_historia_ceros ON public.publicacion_historia USING btree (en) WHERE ((stock = 0) AND (stock_antes > 0));
CREATE INDEX publicacion_historia_of ON public.publicacion_historia USING btree (publicacion_id, en DESC);

create table publicacion_mirar (
  id bigint generated always as identity not null,
  producto_id uuid not null,
  motivo text not null,
  en timestamp with time zone default clock_timestamp() not null,
  constraint publicacion_mirar_pkey PRIMARY KEY (id),
  constraint publicacion_mirar_motivo_check CHECK (motivo = ANY (ARRAY['proveedor'::text, 'venta'::text, 'frescura'::text, 'regla'::text, 'persona'::text, 'revision'::text]))
);

create table publicacion_pendiente (
  publicacion_id uuid not null,
  market text not null,
  proveedor text,
  precio numeric(14,2),
  stock integer,
  precio_retenido numeric(14,2),
  stock_retenido boolean default false not null,
  motivo text not null,
  desde timestamp with time zone not null,
  secuencia bigint default ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint not null,
  effect_id uuid,
  enviada bigint,
  no_antes timestamp with time zone default now() not null,
  fallas smallint default 0 not null,
  error text,
  constraint publicacion_pendiente_pkey PRIMARY KEY (publicacion_id),
  constraint publicacion_pendiente_check CHECK (precio IS NOT NULL OR stock IS NOT NULL OR precio_retenido IS NOT NULL),
  constraint publicacion_pendiente_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint publicacion_pendiente_precio_check CHECK (precio > 0::numeric),
  constraint publicacion_pendiente_precio_retenido_check CHECK (precio_retenido > 0::numeric),
  constraint publicacion_pendiente_stock_check CHECK (stock >= 0),
  constraint publicacion_pendiente_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id) ON DELETE SET NULL,
  constraint publicacion_pendiente_publicacion_id_fkey FOREIGN KEY (publicacion_id) REFERENCES publicacion(id) ON DELETE CASCADE
);
CREATE INDEX publicacion_pendiente_due ON public.publicacion_pendiente USING btree (market, no_antes) WHERE (effect_id IS NULL);
CREATE INDEX publicacion_pendiente_of ON public.publicacion_pendiente USING btree (effect_id) WHERE (effect_id IS NOT NULL);
CREATE INDEX publicacion_pendiente_retenida ON public.publicacion_pendiente USING btree (market, proveedor) WHERE ((precio_retenido IS NOT NULL) OR stock_retenido);

create table publicacion_promocion (
  id uuid default uuidv7() not null,
  publicacion_id uuid not null,
  clave text not null,
  tipo text not null,
  promocion text,
  nombre text not null,
  estado text,
  palabra text not null,
  precio numeric(14,2),
  original numeric(14,2),
  pone numeric(5,2),
  ponemos numeric(5,2),
  desde timestamp with time zone,
  hasta timestamp with time zone,
  solo_alla text,
  corre_desde timestamp with time zone,
  ingreso numeric(14,2),
  queda numeric(14,2),
  margen numeric(18,6),
  estima text[] default '{}'::text[] not null,
  porque text,
  bajo boolean,
  constraint publicacion_promocion_pkey PRIMARY KEY (id),
  constraint publicacion_promocion_publicacion_id_clave_key UNIQUE (publicacion_id, clave),
  constraint publicacion_promocion_check CHECK ((queda IS NULL) = (margen IS NULL)),
  constraint publicacion_promocion_check1 CHECK ((queda IS NULL) = (bajo IS NULL)),
  constraint publicacion_promocion_check2 CHECK ((corre_desde IS NOT NULL) = (estado IS NOT NULL AND (estado = ANY (ARRAY['programada'::text, 'activa'::text])))),
  constraint publicacion_promocion_estado_check CHECK (estado = ANY (ARRAY['candidata'::text, 'programada'::text, 'activa'::text])),
  constraint publicacion_promocion_ingreso_check CHECK (ingreso > 0::numeric),
  constraint publicacion_promocion_original_check CHECK (original > 0::numeric),
  constraint publicacion_promocion_pone_check CHECK (pone >= 0::numeric AND pone <= 100::numeric),
  constraint publicacion_promocion_ponemos_check CHECK (ponemos >= 0::numeric AND ponemos <= 100::numeric),
  constraint publicacion_promocion_precio_check CHECK (precio > 0::numeric),
  constraint publicacion_promocion_publicacion_id_fkey FOREIGN KEY (publicacion_id) REFERENCES publicacion(id) ON DELETE CASCADE
);
CREATE INDEX publicacion_promocion_bajo ON public.publicacion_promocion USING btree (publicacion_id) WHERE (bajo AND (corre_desde IS NOT NULL));

create table publicacion_promociones (
  publicacion_id uuid not null,
  excluida boolean,
  excluida_en timestamp with time zone,
  dicho text,
  dicho_en timestamp with time zone,
  leida_en timestamp with time zone,
  error text,
  error_en timestamp with time zone,
  negada smallint default 0 not null,
  pedir_en timestamp with time zone default now() not null,
  constraint publicacion_promociones_pkey PRIMARY KEY (publicacion_id),
  constraint publicacion_promociones_check CHECK ((excluida IS NULL) = (excluida_en IS NULL)),
  constraint publicacion_promociones_check1 CHECK ((dicho IS NULL) = (dicho_en IS NULL)),
  constraint publicacion_promociones_check2 CHECK ((error IS NULL) = (error_en IS NULL)),
  constraint publicacion_promociones_negada_check CHECK (negada >= 0),
  constraint publicacion_promociones_publicacion_id_fkey FOREIGN KEY (publicacion_id) REFERENCES publicacion(id) ON DELETE CASCADE
);

create table rate_limit (
  key text not null,
  window_start timestamp with time zone not null,
  hits integer default 0 not null,
  constraint rate_limit_pkey PRIMARY KEY (key, window_start)
);

create table reclamo (
  id uuid default uuidv7() not null,
  market text not null,
  market_id text not null,
  orden_market_id text,
  recurso text not null,
  recurso_id text not null,
  estatus text not null,
  tipo text not null,
  etapa text,
  motivo text,
  titulo text,
  problema text,
  responsable text,
  vence_en timestamp with time zone,
  parcial boolean default false not null,
  jugadores jsonb default '[]'::jsonb not null,
  acciones jsonb default '[]'::jsonb not null,
  resolucion jsonb,
  mensajes jsonb default '[]'::jsonb not null,
  devoluciones jsonb default '[]'::jsonb not null,
  ofertas jsonb default '[]'::jsonb not null,
  sin_leer text[] default '{}'::text[] not null,
  fecha timestamp with time zone not null,
  actualizado_en timestamp with time zone not null,
  leido_en timestamp with time zone not null,
  creado_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  datos jsonb not null,
  busqueda text generated always as (f_norm(((((((((market_id || ' '::text) || COALESCE(orden_market_id, ''::text)) || ' '::text) || recurso_id) || ' '::text) || COALESCE(titulo, ''::text)) || ' '::text) || COALESCE(problema, ''::text)))) stored,
  cambios jsonb default '[]'::jsonb not null,
  costo_devolucion numeric(14,2),
  constraint reclamo_pkey PRIMARY KEY (id),
  constraint reclamo_market_market_id_key UNIQUE (market, market_id),
  constraint reclamo_costo_devolucion_check CHECK (costo_devolucion >= 0::numeric),
  constraint reclamo_estatus_check CHECK (estatus = ANY (ARRAY['abierto'::text, 'cerrado'::text])),
  constraint reclamo_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint reclamo_market_id_check CHECK (market_id <> ''::text),
  constraint reclamo_responsable_check CHECK (responsable = ANY (ARRAY['vendedor'::text, 'comprador'::text, 'mediador'::text]))
);
CREATE INDEX reclamo_abierto ON public.reclamo USING btree (vence_en) WHERE (estatus = 'abierto'::text);
CREATE INDEX reclamo_by_orden ON public.reclamo USING btree (market, orden_market_id) WHERE (orden_market_id IS NOT NULL);
CREATE INDEX reclamo_list ON public.reclamo USING btree (fecha DESC, id DESC);
CREATE INDEX reclamo_search ON public.reclamo USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER gancho_reclamo_nuevo AFTER INSERT ON reclamo REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_reclamo_nuevo();

create table refacturacion (
  id uuid default uuidv7() not null,
  orden_id uuid not null,
  global_id uuid not null,
  effect_id uuid not null,
  factura_id uuid,
  creada_en timestamp with time zone default now() not null,
  constraint refacturacion_pkey PRIMARY KEY (id),
  constraint refacturacion_orden_id_global_id_key UNIQUE (orden_id, global_id),
  constraint refacturacion_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES effect(id),
  constraint refacturacion_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES factura(id),
  constraint refacturacion_global_id_fkey FOREIGN KEY (global_id) REFERENCES factura(id),
  constraint refacturacion_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id)
);
CREATE INDEX refacturacion_by_effect ON public.refacturacion USING btree (effect_id);
CREATE INDEX refacturacion_by_factura ON public.refacturacion USING btree (factura_id) WHERE (factura_id IS NOT NULL);
CREATE INDEX refacturacion_by_global ON public.refacturacion USING btree (global_id);

create table remitente (
  conexion text not null,
  version integer default 0 not null,
  nombre text not null,
  calle text not null,
  colonia text,
  ciudad text not null,
  estado text not null,
  cp text not null,
  telefono text not null,
  email text not null,
  constraint remitente_pkey PRIMARY KEY (conexion),
  constraint remitente_cp_check CHECK (cp ~ '^[0-9]{5}$'::text)
);

create table respaldo_prueba (
  id bigint generated always as identity not null,
  en timestamp with time zone default now() not null,
  respaldo text,
  sabe_hasta timestamp with time zone,
  bien boolean not null,
  dice text not null,
  segundos integer not null,
  constraint respaldo_prueba_pkey PRIMARY KEY (id)
);

create table respaldo_traslado (
  que text not null,
  desde timestamp with time zone default now() not null,
  mirado_en timestamp with time zone not null,
  al_dia_en timestamp with time zone,
  pendiente_desde timestamp with time zone,
  pendientes integer,
  falla text,
  constraint respaldo_traslado_pkey PRIMARY KEY (que),
  constraint respaldo_traslado_que_check CHECK (que = ANY (ARRAY['wal'::text, 'base'::text]))
);

create table respuesta_api (
  quien text not null,
  llave text not null,
  huella bytea not null,
  tomada_hasta timestamp with time zone not null,
  status integer,
  cuerpo text,
  creada_en timestamp with time zone default now() not null,
  constraint respuesta_api_pkey PRIMARY KEY (quien, llave),
  constraint respuesta_api_llave_check CHECK (length(llave) >= 1 AND length(llave) <= 200),
  constraint respuesta_api_quien_check CHECK (length(quien) <= 100),
  constraint respuesta_api_status_check CHECK (status >= 200 AND status <= 499)
);
CREATE INDEX respuesta_api_by_creada ON public.respuesta_api USING btree (creada_en);

create table respuesta_lejana (
  connection text not null,
  hora timestamp with time zone not null,
  ruta text not null,
  contestadas integer not null,
  rechazadas integer not null,
  constraint respuesta_lejana_pkey PRIMARY KEY (connection, hora, ruta),
  constraint respuesta_lejana_check CHECK (rechazadas >= 0 AND rechazadas <= contestadas),
  constraint respuesta_lejana_contestadas_check CHECK (contestadas > 0)
);

create table restauracion (
  id uuid default uuidv7() not null,
  respaldo text not null,
  sabe_hasta timestamp with time zone not null,
  restaurada_en timestamp with time zone default now() not null,
  conciliada_en timestamp with time zone,
  adoptadas jsonb default '[]'::jsonb not null,
  inexplicadas jsonb default '[]'::jsonb not null,
  canceladas jsonb default '[]'::jsonb not null,
  constraint restauracion_pkey PRIMARY KEY (id)
);

create table retencion_cfdi (
  id uuid default uuidv7() not null,
  uuid text not null,
  archivo_id uuid not null,
  market text not null,
  emisor_rfc text not null,
  emisor_nombre text not null,
  emitido_en timestamp with time zone not null,
  desde text not null,
  mes text not null,
  servicios integer not null,
  sin_iva numeric(14,2) not null,
  iva numeric(14,2) not null,
  isr_retenido numeric(14,2) not null,
  iva_retenido numeric(14,2) not null,
  retenido numeric(14,2) not null,
  uso_plataforma numeric(14,2) not null,
  otro_mes numeric(14,2) not null,
  observaciones text[] default '{}'::text[] not null,
  sustituye text,
  usuario_id uuid,
  creado_en timestamp with time zone default now() not null,
  constraint retencion_cfdi_pkey PRIMARY KEY (id),
  constraint retencion_cfdi_uuid_key UNIQUE (uuid),
  constraint retencion_cfdi_check CHECK (sustituye <> uuid),
  constraint retencion_cfdi_check1 CHECK (desde <= mes),
  constraint retencion_cfdi_desde_check CHECK (desde ~ '^[0-9]{4}-[0-9]{2}$'::text),
  constraint retencion_cfdi_isr_retenido_check CHECK (isr_retenido >= 0::numeric),
  constraint retencion_cfdi_iva_check CHECK (iva >= 0::numeric),
  constraint retencion_cfdi_iva_retenido_check CHECK (iva_retenido >= 0::numeric),
  constraint retencion_cfdi_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint retencion_cfdi_mes_check CHECK (mes ~ '^[0-9]{4}-[0-9]{2}$'::text),
  constraint retencion_cfdi_otro_mes_check CHECK (otro_mes >= 0::numeric),
  constraint retencion_cfdi_retenido_check CHECK (retenido >= 0::numeric),
  constraint retencion_cfdi_servicios_check CHECK (servicios >= 0),
  constraint retencion_cfdi_sin_iva_check CHECK (sin_iva >= 0::numeric),
  constraint retencion_cfdi_uso_plataforma_check CHECK (uso_plataforma >= 0::numeric),
  constraint retencion_cfdi_uuid_check CHECK (uuid = upper(uuid)),
  constraint retencion_cfdi_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint retencion_cfdi_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX retencion_cfdi_by_archivo ON public.retencion_cfdi USING btree (archivo_id);
CREATE INDEX retencion_cfdi_by_emisor ON public.retencion_cfdi USING btree (emisor_rfc);
CREATE INDEX retencion_cfdi_by_mes ON public.retencion_cfdi USING btree (mes, market);
CREATE INDEX retencion_cfdi_sustituye ON public.retencion_cfdi USING btree (sustituye) WHERE (sustituye IS NOT NULL);

create table sat_catalogo (
  catalogo text not null,
  leido_en timestamp with time zone,
  intento_en timestamp with time zone default now() not null,
  error text,
  constraint sat_catalogo_pkey PRIMARY KEY (catalogo),
  constraint sat_catalogo_catalogo_check CHECK (catalogo = ANY (ARRAY['usos'::text, 'regimenes'::text, 'formasPago'::text, 'unidades'::text, 'productos'::text]))
);

create table sat_clave (
  catalogo text not null,
  clave text not null,
  texto text not null,
  busqueda text generated always as (f_norm(((clave || ' '::text) || texto))) stored,
  constraint sat_clave_pkey PRIMARY KEY (catalogo, clave),
  constraint sat_clave_catalogo_check CHECK (catalogo = ANY (ARRAY['usos'::text, 'regimenes'::text, 'formasPago'::text, 'unidades'::text, 'productos'::text]))
);
CREATE INDEX sat_clave_search ON public.sat_clave USING gin (busqueda gin_trgm_ops);

create table seguimiento (
  market text not null,
  detenido_en timestamp with time zone,
  usuario_id uuid,
  constraint seguimiento_pkey PRIMARY KEY (market),
  constraint seguimiento_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint seguimiento_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);

create table seguimiento_regla (
  proveedor text not null,
  market text not null,
  colchon integer default 0 not null,
  tope integer,
  version integer default 1 not null,
  ceros_hasta timestamp with time zone,
  constraint seguimiento_regla_pkey PRIMARY KEY (proveedor, market),
  constraint seguimiento_regla_colchon_check CHECK (colchon >= 0 AND colchon <= 9999),
  constraint seguimiento_regla_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint seguimiento_regla_tope_check CHECK (tope >= 0 AND tope <= 99999),
  constraint seguimiento_regla_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value) ON DELETE CASCADE
);
CREATE TRIGGER seguimiento_regla_moved AFTER INSERT OR UPDATE ON seguimiento_regla FOR EACH ROW EXECUTE FUNCTION proveedor_moved();

create table segundo_factor (
  usuario_id uuid not null,
  sellado bytea,
  confirmado_en timestamp with time zone,
  ultimo_paso integer default 0 not null,
  nuevo_sellado bytea,
  nuevo_en timestamp with time zone,
  constraint segundo_factor_pkey PRIMARY KEY (usuario_id),
  constraint segundo_factor_check CHECK ((sellado IS NULL) = (confirmado_en IS NULL)),
  constraint segundo_factor_check1 CHECK ((nuevo_sellado IS NULL) = (nuevo_en IS NULL)),
  constraint segundo_factor_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);

create table sesion (
  token_hash bytea not null,
  usuario_id uuid not null,
  recordar boolean not null,
  creada_en timestamp with time zone default now() not null,
  vista_en timestamp with time zone default now() not null,
  vence_en timestamp with time zone not null,
  segundo_factor_en timestamp with time zone,
  probada_en timestamp with time zone default now() not null,
  direccion text,
  navegador text,
  solo_api boolean default false not null,
  clave_api_id uuid,
  constraint sesion_pkey PRIMARY KEY (token_hash),
  constraint sesion_check CHECK (solo_api OR clave_api_id IS NULL),
  constraint sesion_clave_api_id_fkey FOREIGN KEY (clave_api_id) REFERENCES clave_api(id) ON DELETE CASCADE,
  constraint sesion_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX sesion_by_clave_api ON public.sesion USING btree (clave_api_id) WHERE (clave_api_id IS NOT NULL);
CREATE INDEX sesion_by_usuario ON public.sesion USING btree (usuario_id);
CREATE INDEX sesion_by_vence ON public.sesion USING btree (vence_en);

create table sin_timbrar (
  market text not null,
  num_orden text not null,
  motivo text not null,
  fecha timestamp with time zone default now() not null,
  constraint sin_timbrar_pkey PRIMARY KEY (market, num_orden),
  constraint sin_timbrar_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint sin_timbrar_motivo_check CHECK (motivo <> ''::text)
);

create table stock_alta (
  id uuid default uuidv7() not null,
  clave uuid not null,
  usuario_id uuid,
  creada_en timestamp with time zone default now() not null,
  constraint stock_alta_pkey PRIMARY KEY (id),
  constraint stock_alta_clave_key UNIQUE (clave),
  constraint stock_alta_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);

create table stock_cuadre (
  id bigint generated always as identity not null,
  en timestamp with time zone default now() not null,
  descuadradas integer not null,
  folios text[] not null,
  constraint stock_cuadre_pkey PRIMARY KEY (id),
  constraint stock_cuadre_descuadradas_check CHECK (descuadradas >= 0)
);

create table stock_estado (
  value text not null,
  posicion smallint not null,
  en_bodega boolean not null,
  inicial boolean not null,
  constraint stock_estado_pkey PRIMARY KEY (value)
);

create table stock_etiqueta (
  numero integer generated always as identity not null,
  codigo text generated always as (((('ET-'::text || lpad((numero)::text, 7, '0'::text)) || '-'::text) || substr('TRWAGMYFPDXBNJZSQVHLCKE'::text, ((numero % 23) + 1), 1))) stored not null,
  creada_por uuid,
  creada_en timestamp with time zone default now() not null,
  pieza_id uuid,
  ligada_por uuid,
  ligada_en timestamp with time zone,
  tirada uuid,
  constraint stock_etiqueta_pkey PRIMARY KEY (numero),
  constraint stock_etiqueta_codigo_key UNIQUE (codigo),
  constraint stock_etiqueta_check CHECK ((pieza_id IS NULL) = (ligada_en IS NULL)),
  constraint stock_etiqueta_numero_check CHECK (numero >= 1 AND numero <= 9999999),
  constraint stock_etiqueta_creada_por_fkey FOREIGN KEY (creada_por) REFERENCES usuario(id),
  constraint stock_etiqueta_ligada_por_fkey FOREIGN KEY (ligada_por) REFERENCES usuario(id),
  constraint stock_etiqueta_pieza_id_fkey FOREIGN KEY (pieza_id) REFERENCES stock_interno(id),
  constraint stock_etiqueta_tirada_fkey FOREIGN KEY (tirada) REFERENCES stock_tirada(clave)
);
CREATE INDEX stock_etiqueta_by_pieza ON public.stock_etiqueta USING btree (pieza_id) WHERE (pieza_id IS NOT NULL);
CREATE INDEX stock_etiqueta_by_tirada ON public.stock_etiqueta USING btree (tirada, numero);

create table stock_folio (
  anio smallint not null,
  ultimo integer not null,
  constraint stock_folio_pkey PRIMARY KEY (anio),
  constraint stock_folio_anio_check CHECK (anio >= 2000 AND anio <= 2099),
  constraint stock_folio_ultimo_check CHECK (ultimo >= 1 AND ultimo <= 999999)
);

create table stock_foto (
  id uuid default uuidv7() not null,
  pieza_id uuid not null,
  posicion smallint not null,
  archivo_id uuid not null,
  usuario_id uuid,
  en timestamp with time zone default now() not null,
  constraint stock_foto_pkey PRIMARY KEY (id),
  constraint stock_foto_pieza_id_posicion_key UNIQUE (pieza_id, posicion),
  constraint stock_foto_posicion_check CHECK (posicion >= 1 AND posicion <= 6),
  constraint stock_foto_archivo_id_fkey FOREIGN KEY (archivo_id) REFERENCES archivo(id),
  constraint stock_foto_pieza_id_fkey FOREIGN KEY (pieza_id) REFERENCES stock_interno(id),
  constraint stock_foto_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);
CREATE INDEX stock_foto_by_archivo ON public.stock_foto USING btree (archivo_id);

create table stock_interno (
  id uuid default uuidv7() not null,
  anio smallint not null,
  numero integer not null,
  folio text generated always as (stock_folio_de(anio, numero)) stored not null,
  alta_id uuid not null,
  estado text not null,
  orden_id uuid,
  producto_id uuid,
  descripcion text,
  proveedor text,
  costo numeric(14,2) not null,
  recuperado numeric(14,2) default 0 not null,
  observaciones text,
  factura_folio text,
  factura_id uuid,
  venta_id uuid,
  busqueda text default ''::text not null,
  creada_por uuid,
  creada_en timestamp with time zone default now() not null,
  cambiada_en timestamp with time zone default now() not null,
  version integer default 1 not null,
  factura_nombre text,
  constraint stock_interno_pkey PRIMARY KEY (id),
  constraint stock_interno_anio_numero_key UNIQUE (anio, numero),
  constraint stock_interno_folio_key UNIQUE (folio),
  constraint stock_interno_check CHECK (factura_id IS NULL OR factura_folio IS NOT NULL),
  constraint stock_interno_check1 CHECK (venta_id IS NULL OR (estado = ANY (ARRAY['reservado'::text, 'vendido'::text]))),
  constraint stock_interno_costo_check CHECK (costo > 0::numeric),
  constraint stock_interno_estado_check CHECK (estado = ANY (ARRAY['enRevision'::text, 'disponible'::text, 'reservado'::text, 'vendido'::text, 'enGarantia'::text, 'devueltoProveedor'::text, 'danado'::text, 'baja'::text])),
  constraint stock_interno_numero_check CHECK (numero >= 1 AND numero <= 999999),
  constraint stock_interno_recuperado_check CHECK (recuperado >= 0::numeric),
  constraint stock_interno_alta_id_fkey FOREIGN KEY (alta_id) REFERENCES stock_alta(id),
  constraint stock_interno_creada_por_fkey FOREIGN KEY (creada_por) REFERENCES usuario(id),
  constraint stock_interno_estado_fkey FOREIGN KEY (estado) REFERENCES stock_estado(value),
  constraint stock_interno_factura_id_fkey FOREIGN KEY (factura_id) REFERENCES archivo(id),
  constraint stock_interno_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id),
  constraint stock_interno_producto_id_fkey FOREIGN KEY (producto_id) REFERENCES producto(id),
  constraint stock_interno_proveedor_fkey FOREIGN KEY (proveedor) REFERENCES proveedor(value),
  constraint stock_interno_venta_id_fkey FOREIGN KEY (venta_id) REFERENCES orden(id)
);
CREATE INDEX stock_interno_by_alta ON public.stock_interno USING btree (alta_id);
CREATE INDEX stock_interno_by_estado ON public.stock_interno USING btree (estado, proveedor, creada_en DESC, id DESC) INCLUDE (costo);
CREATE INDEX stock_interno_by_factura ON public.stock_interno USING btree (lower(factura_folio)) WHERE (factura_folio IS NOT NULL);
CREATE INDEX stock_interno_by_factura_id ON public.stock_interno USING btree (factura_id) WHERE (factura_id IS NOT NULL);
CREATE INDEX stock_interno_by_fecha ON public.stock_interno USING btree (creada_en DESC, id DESC) INCLUDE (estado, proveedor, costo);
CREATE INDEX stock_interno_by_orden ON public.stock_interno USING btree (orden_id) WHERE (orden_id IS NOT NULL);
CREATE INDEX stock_interno_by_producto ON public.stock_interno USING btree (producto_id, estado) WHERE (producto_id IS NOT NULL);
CREATE INDEX stock_interno_by_proveedor ON public.stock_interno USING btree (proveedor, creada_en DESC, id DESC) INCLUDE (estado, costo);
CREATE INDEX stock_interno_by_venta ON public.stock_interno USING btree (venta_id) WHERE (venta_id IS NOT NULL);
CREATE INDEX stock_interno_en_bodega ON public.stock_interno USING btree (estado, proveedor) INCLUDE (costo) WHERE (estado = ANY (ARRAY['enRevision'::text, 'disponible'::text, 'reservado'::text, 'danado'::text]));
CREATE INDEX stock_interno_search ON public.stock_interno USING gin (busqueda gin_trgm_ops);
CREATE TRIGGER stock_empieza AFTER INSERT ON stock_interno FOR EACH ROW EXECUTE FUNCTION stock_empieza();
CREATE TRIGGER stock_escrito BEFORE INSERT OR UPDATE ON stock_interno FOR EACH ROW EXECUTE FUNCTION stock_escrito();
CREATE TRIGGER stock_interno_posted_added AFTER INSERT ON stock_interno FOR EACH ROW WHEN (new.orden_id IS NOT NULL OR new.venta_id IS NOT NULL) EXECUTE FUNCTION libro_of_piezas();
CREATE TRIGGER stock_interno_posted_changed AFTER UPDATE ON stock_interno FOR EACH ROW WHEN (old.orden_id IS DISTINCT FROM new.orden_id OR old.venta_id IS DISTINCT FROM new.venta_id OR old.costo IS DISTINCT FROM new.costo OR old.recuperado IS DISTINCT FROM new.recuperado OR old.estado IS DISTINCT FROM new.estado OR old.proveedor IS DISTINCT FROM new.proveedor) EXECUTE FUNCTION libro_of_piezas();

create table stock_movimiento (
  id bigint generated always as identity not null,
  pieza_id uuid not null,
  de text,
  a text not null,
  en timestamp with time zone default clock_timestamp() not null,
  usuario_id uuid,
  detalle text,
  venta_id uuid,
  deshace bigint,
  constraint stock_movimiento_pkey PRIMARY KEY (id),
  constraint stock_movimiento_deshace_key UNIQUE (deshace),
  constraint stock_movimiento_check CHECK (de <> a),
  constraint stock_movimiento_a_fkey FOREIGN KEY (a) REFERENCES stock_estado(value),
  constraint stock_movimiento_de_fkey FOREIGN KEY (de) REFERENCES stock_estado(value),
  constraint stock_movimiento_deshace_fkey FOREIGN KEY (deshace) REFERENCES stock_movimiento(id),
  constraint stock_movimiento_pieza_id_fkey FOREIGN KEY (pieza_id) REFERENCES stock_interno(id),
  constraint stock_movimiento_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id),
  constraint stock_movimiento_venta_id_fkey FOREIGN KEY (venta_id) REFERENCES orden(id)
);
CREATE INDEX stock_movimiento_by_pieza ON public.stock_movimiento USING btree (pieza_id, id);
CREATE INDEX stock_movimiento_by_venta ON public.stock_movimiento USING btree (venta_id) WHERE (venta_id IS NOT NULL);
CREATE UNIQUE INDEX stock_movimiento_primero ON public.stock_movimiento USING btree (pieza_id) WHERE (de IS NULL);
CREATE TRIGGER gancho_stock_movido AFTER INSERT ON stock_movimiento REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION gancho_stock_movido();
CREATE TRIGGER stock_mueve BEFORE INSERT ON stock_movimiento FOR EACH ROW EXECUTE FUNCTION stock_mueve();

create table stock_paso (
  de text not null,
  a text not null,
  constraint stock_paso_pkey PRIMARY KEY (de, a),
  constraint stock_paso_check CHECK (de <> a),
  constraint stock_paso_a_fkey FOREIGN KEY (a) REFERENCES stock_estado(value),
  constraint stock_paso_de_fkey FOREIGN KEY (de) REFERENCES stock_estado(value)
);

create table stock_tirada (
  clave uuid not null,
  usuario_id uuid,
  creada_en timestamp with time zone default now() not null,
  constraint stock_tirada_pkey PRIMARY KEY (clave),
  constraint stock_tirada_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id)
);

create table suelto (
  id uuid default uuidv7() not null,
  market text not null,
  clave text not null,
  clase text not null,
  numero text,
  detalle text not null,
  importe numeric(14,2) not null,
  lineas integer not null,
  desde timestamp with time zone not null,
  hasta timestamp with time zone not null,
  deposito_id uuid,
  pedido_en timestamp with time zone,
  buscado_en timestamp with time zone,
  hallazgo text,
  motivo text,
  motivo_por uuid,
  motivo_en timestamp with time zone,
  version integer default 1 not null,
  constraint suelto_pkey PRIMARY KEY (id),
  constraint suelto_market_clave_key UNIQUE (market, clave),
  constraint suelto_clase_check CHECK (clase = ANY (ARRAY['venta'::text, 'cobro'::text, 'publicidad'::text, 'impuesto'::text, 'cargo'::text, 'abono'::text])),
  constraint suelto_market_check CHECK (market = ANY (ARRAY['ml'::text, 'amz'::text])),
  constraint suelto_motivo_check CHECK (motivo = ANY (ARRAY['publicidad'::text, 'impuesto'::text, 'cuenta'::text, 'bonificacion'::text, 'otroCanal'::text, 'anterior'::text, 'reclamado'::text])),
  constraint suelto_deposito_id_fkey FOREIGN KEY (deposito_id) REFERENCES deposito(id) ON DELETE CASCADE,
  constraint suelto_motivo_por_fkey FOREIGN KEY (motivo_por) REFERENCES usuario(id)
);
CREATE INDEX suelto_abierto ON public.suelto USING btree (hasta) WHERE (motivo IS NULL);
CREATE INDEX suelto_por_fecha ON public.suelto USING btree (hasta DESC, id DESC);

create table sync_cursor (
  source text not null,
  reached_at timestamp with time zone not null,
  updated_at timestamp with time zone default now() not null,
  constraint sync_cursor_pkey PRIMARY KEY (source)
);

create table sync_run (
  id uuid default uuidv7() not null,
  source text not null,
  kind text not null,
  started_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  seen integer default 0 not null,
  written integer default 0 not null,
  failed integer default 0 not null,
  error text,
  constraint sync_run_pkey PRIMARY KEY (id),
  constraint sync_run_kind_check CHECK (kind = ANY (ARRAY['sweep'::text, 'cancelled'::text, 'missed'::text, 'atencion'::text, 'publicaciones'::text, 'publicacionesNuevas'::text, 'competencia'::text, 'promociones'::text, 'liquidacion'::text, 'comisiones'::text]))
);
CREATE INDEX sync_run_by_source ON public.sync_run USING btree (source, kind, started_at DESC);

create table tasa_retencion (
  persona text not null,
  desde date not null,
  hasta date,
  iva numeric(7,6) not null,
  isr numeric(7,6) not null,
  constraint tasa_retencion_pkey PRIMARY KEY (persona, desde),
  constraint tasa_retencion_check CHECK (hasta >= desde),
  constraint tasa_retencion_isr_check CHECK (isr >= 0::numeric AND isr <= 1::numeric),
  constraint tasa_retencion_iva_check CHECK (iva >= 0::numeric AND iva <= 1::numeric),
  constraint tasa_retencion_persona_check CHECK (persona = ANY (ARRAY['moral'::text, 'fisica'::text, 'sinRfc'::text]))
);

create table token_api (
  id uuid default uuidv7() not null,
  usuario_id uuid not null,
  nombre text not null,
  token_hash bytea not null,
  pista text not null,
  alcances text[] not null,
  creado_en timestamp with time zone default now() not null,
  vence_en timestamp with time zone not null,
  usado_en timestamp with time zone,
  revocado_en timestamp with time zone,
  constraint token_api_pkey PRIMARY KEY (id),
  constraint token_api_token_hash_key UNIQUE (token_hash),
  constraint token_api_alcances_check CHECK (cardinality(alcances) >= 1 AND cardinality(alcances) <= 100),
  constraint token_api_check CHECK (vence_en > creado_en),
  constraint token_api_nombre_check CHECK (length(nombre) >= 1 AND length(nombre) <= 60),
  constraint token_api_pista_check CHECK (length(pista) <= 12),
  constraint token_api_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX token_api_by_usuario ON public.token_api USING btree (usuario_id, id);

create table usuario (
  id uuid default uuidv7() not null,
  usuario text not null,
  nombre text not null,
  apellidos text not null,
  email text not null,
  rol text not null,
  activo boolean default true not null,
  password_hash text not null,
  fecha_creacion timestamp with time zone default now() not null,
  version integer default 1 not null,
  busqueda text generated always as (f_norm(((((((usuario || ' '::text) || nombre) || ' '::text) || apellidos) || ' '::text) || email))) stored,
  constraint usuario_pkey PRIMARY KEY (id),
  constraint usuario_rol_check CHECK (rol = ANY (ARRAY['sa'::text, 'admin'::text, 'user'::text, 'aux'::text, 'cont'::text])),
  constraint usuario_usuario_check CHECK (usuario = btrim(usuario) AND usuario <> ''::text)
);
CREATE UNIQUE INDEX usuario_by_login ON public.usuario USING btree (lower(usuario));

create table utilidad_ajuste (
  id uuid default uuidv7() not null,
  orden_id uuid not null,
  en timestamp with time zone default now() not null,
  mes text not null,
  causa text not null,
  antes numeric(14,2) not null,
  despues numeric(14,2),
  diferencia numeric(14,2) generated always as ((COALESCE(despues, (0)::numeric) - antes)) stored,
  constraint utilidad_ajuste_pkey PRIMARY KEY (id),
  constraint utilidad_ajuste_causa_check CHECK (causa = ANY (ARRAY['liquidacion'::text, 'factura'::text, 'relectura'::text])),
  constraint utilidad_ajuste_mes_check CHECK (mes ~ '^\d{4}-\d{2}$'::text),
  constraint utilidad_ajuste_orden_id_fkey FOREIGN KEY (orden_id) REFERENCES orden(id)
);
CREATE INDEX utilidad_ajuste_by_en ON public.utilidad_ajuste USING btree (en DESC, id DESC);
CREATE INDEX utilidad_ajuste_by_orden ON public.utilidad_ajuste USING btree (orden_id);

create table vista (
  id uuid default uuidv7() not null,
  lista text not null,
  nombre text not null,
  usuario_id uuid not null,
  consulta text not null,
  roles text[] default '{}'::text[] not null,
  retirada timestamp with time zone,
  constraint vista_pkey PRIMARY KEY (id),
  constraint vista_consulta_check CHECK (length(consulta) <= 2000),
  constraint vista_lista_check CHECK (length(lista) >= 1 AND length(lista) <= 60),
  constraint vista_nombre_check CHECK (length(nombre) >= 1 AND length(nombre) <= 40),
  constraint vista_roles_check CHECK (roles <@ ARRAY['sa'::text, 'admin'::text, 'user'::text, 'aux'::text, 'cont'::text]),
  constraint vista_usuario_id_fkey FOREIGN KEY (usuario_id) REFERENCES usuario(id) ON DELETE CASCADE
);
CREATE INDEX vista_by_lista ON public.vista USING btree (lista);
CREATE UNIQUE INDEX vista_by_nombre ON public.vista USING btree (usuario_id, lista, lower(nombre)) WHERE (retirada IS NULL);

create table vista_inicial (
  lista text not null,
  rol text not null,
  vista_id uuid not null,
  constraint vista_inicial_pkey PRIMARY KEY (lista, rol),
  constraint vista_inicial_rol_check CHECK (rol = ANY (ARRAY['sa'::text, 'admin'::text, 'user'::text, 'aux'::text, 'cont'::text])),
  constraint vista_inicial_vista_id_fkey FOREIGN KEY (vista_id) REFERENCES vista(id) ON DELETE CASCADE
);
CREATE INDEX vista_inicial_by_vista ON public.vista_inicial USING btree (vista_id);

create table worker_heartbeat (
  worker_id text not null,
  pid integer not null,
  started_at timestamp with time zone default now() not null,
  beat_at timestamp with time zone default now() not null,
  constraint worker_heartbeat_pkey PRIMARY KEY (worker_id)
);

create view cliente_conocido as
 SELECT cliente_fiscal.id,
    'registro'::text AS origen,
    cliente_fiscal.fecha_creacion,
    cliente_fiscal.rfc,
    cliente_fiscal.razon_social,
    cliente_fiscal.cp,
    cliente_fiscal.regimen,
    cliente_fiscal.telefono,
    cliente_fiscal.emails,
    cliente_fiscal.uid,
    cliente_fiscal.busqueda
   FROM cliente_fiscal
UNION ALL
 SELECT cliente_publico.id,
    'venta'::text AS origen,
    cliente_publico.creado_en AS fecha_creacion,
    cliente_publico.rfc,
    cliente_publico.razon_social,
    cliente_publico.cp,
    cliente_publico.regimen,
    NULL::text AS telefono,
    '{}'::text[] AS emails,
    cliente_publico.uid,
    cliente_publico.busqueda
   FROM cliente_publico;

create view pago_dado as
 SELECT v.pago_id,
    v.orden_id,
    v.proveedor,
        CASE
            WHEN v.monto IS NOT NULL OR pago.total IS NULL THEN v.pide
            ELSE GREATEST(0::numeric, LEAST(v.pide, pago.total - v.escrito - v.antes))
        END AS dado
   FROM ( SELECT pago_de_orden.pago_id,
            pago_de_orden.orden_id,
            pago_de_orden.proveedor,
            pago_de_orden.monto,
            pago_de_orden.pide,
            COALESCE(sum(pago_de_orden.monto) OVER (PARTITION BY pago_de_orden.pago_id), 0::numeric) AS escrito,
            COALESCE(sum(
                CASE
                    WHEN pago_de_orden.monto IS NULL THEN pago_de_orden.pide
                    ELSE NULL::numeric
                END) OVER (PARTITION BY pago_de_orden.pago_id ORDER BY pago_de_orden.orden_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0::numeric) AS antes
           FROM pago_de_orden) v
     JOIN pago ON pago.id = v.pago_id;

create view pago_de_orden as
 SELECT po.pago_id,
    po.orden_id,
    pago.proveedor,
    po.monto,
    facturas.facturado,
    otros.dado,
    COALESCE(po.monto, GREATEST(facturas.facturado - otros.dado, 0::numeric)) AS pide
   FROM pago_orden po
     JOIN pago ON pago.id = po.pago_id
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(f.monto - f.acreditada), 0::numeric) AS facturado
           FROM proveedor_factura f
          WHERE f.orden_id = po.orden_id AND f.proveedor = pago.proveedor) facturas
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(otra.monto), 0::numeric) AS dado
           FROM pago_orden otra
             JOIN pago p ON p.id = otra.pago_id
          WHERE otra.orden_id = po.orden_id AND otra.pago_id <> po.pago_id AND p.proveedor = pago.proveedor) otros;

CREATE OR REPLACE FUNCTION public.acreditada_of(facturas uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
    update proveedor_factura f set acreditada = ahora.acreditada
    from (
      select f.id, coalesce((select sum(n.acreditado) from proveedor_nota_factura n where n.factura_id = f.id), 0)
        + coalesce((select sum(u.importe) from proveedor_nota_uso u where u.factura_id = f.id), 0) as acreditada
      from proveedor_factura f where f.id = any(facturas)
    ) ahora
    where f.id = ahora.id and f.acreditada <> ahora.acreditada $function$
;

CREATE OR REPLACE FUNCTION public.articulo_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select distinct p.producto_id, 'venta' from added a join publicacion p on lower(p.sku) = lower(a.sku) where p.auto_sync and p.producto_id is not null;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.clase_existencia(piezas integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select case when piezas is null then 'sinDato' when piezas > 0 then 'con' else 'sin' end $function$
;

CREATE OR REPLACE FUNCTION public.comprador_de(o orden)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
    select left(concat_ws(' ', o.comprador, o.datos #>> '{buyer,first_name}', o.datos #>> '{buyer,last_name}',
      (select concat_ws(' ', e.nombre_receptor, e.apellidos, regexp_replace(e.telefono, '\D', '', 'g')) from envio e where e.id = o.envio_id)), 600) $function$
;

CREATE OR REPLACE FUNCTION public.costo_envio_of_envios()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare envios uuid[] := array(
      select id from (select id, costo from after except select id, costo from before) moved);
    begin
      if cardinality(envios) > 0 then perform share_costo_envio(envios); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.costo_envio_of_ordenes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare envios uuid[];
    begin
      if tg_op = 'INSERT' then
        select array_agg(distinct envio_id) into envios from after where envio_id is not null;
      else
        select array_agg(distinct envio_id) into envios from (
          (select id, envio_id, clase from after except select id, envio_id, clase from before)
          union all
          (select id, envio_id, clase from before except select id, envio_id, clase from after)) moved
        where envio_id is not null;
        -- Asked first: an update of no rows would call this function again, and again.
        if exists (select from after where envio_id is null and costo_envio <> 0) then
          update orden set costo_envio = 0 from after a where a.id = orden.id and a.envio_id is null and a.costo_envio <> 0;
        end if;
      end if;
      if envios is not null then perform share_costo_envio(envios); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.documentos_de(o orden)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
    select concat_ws(' ',
      (select string_agg(distinct concat_ws(' ', f.serie || '-' || f.folio, f.rfc, case when f.tipo = 'individual' then f.razon_social end), ' ')
        from factura_orden fo join factura f on f.id = fo.factura_id where fo.orden_id = o.id),
      (select string_agg(distinct p.folio, ' ') from proveedor_factura p where p.orden_id = o.id),
      comprador_de(o)) $function$
;

CREATE OR REPLACE FUNCTION public.documentos_of(ordenes uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
    update orden set documentos = d.documentos
    from (select o.id, documentos_de(o) as documentos from orden o where o.id = any (ordenes)) d
    where orden.id = d.id and orden.documentos <> d.documentos $function$
;

CREATE OR REPLACE FUNCTION public.documentos_of_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform documentos_of(array(select distinct orden_id from changed));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.envio_receptor_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare
      envios uuid[] := array(
        select id from (
          select id, nombre_receptor, apellidos, telefono from after
          except select id, nombre_receptor, apellidos, telefono from before) moved);
      movidas uuid[];
    begin
      if cardinality(envios) > 0 then
        movidas := array(select id from orden where envio_id = any(envios));
        if cardinality(movidas) > 0 then perform documentos_of(movidas); end if;
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.f_correos(correos text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT lower(correo.correo) AS lower FROM unnest(f_correos.correos) correo(correo))
;

CREATE OR REPLACE FUNCTION public.f_lista(textos text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select array_to_string(textos, ' ') $function$
;

CREATE OR REPLACE FUNCTION public.f_norm(texto text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select public.unaccent('public.unaccent'::regdictionary, lower(texto)) $function$
;

CREATE OR REPLACE FUNCTION public.facturado_aqui_of(pedidos uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
    update pedido p set facturado_aqui = ahora.si
    from (
      select p.id, exists (
        select from pedido_linea l join proveedor_factura f on f.orden_id = l.orden_id and f.proveedor = p.proveedor
        where l.pedido_id = p.id) as si
      from pedido p where p.id = any(pedidos)
    ) ahora
    where p.id = ahora.id and p.facturado_aqui <> ahora.si $function$
;

CREATE OR REPLACE FUNCTION public.facturado_aqui_of_lineas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform facturado_aqui_of(array(select distinct pedido_id from after));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.ganancia_producto_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare cual uuid := coalesce(new.producto_id, old.producto_id);
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select cual, 'regla' where exists (select from publicacion p where p.producto_id = cual and p.auto_sync);
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_avisar(cual text, ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    begin
      if coalesce(cardinality(ids), 0) = 0 then return; end if;
      insert into gancho_evento (tipo, entidad_id) select cual, id from unnest(ids) id on conflict do nothing;
      perform graphile_worker.add_job('ganchos.repartir', '{}'::json, max_attempts := 3,
        job_key := 'ganchos.repartir:' || pg_current_xact_id()::text);
    end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_factura_cancelada()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('factura.cancelada') then perform gancho_avisar('factura.cancelada', (select array_agg((id)::text) from after a join before b using (id) where a.estatus = 'cancelada' and b.estatus <> 'cancelada')); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_factura_rechazada()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if gancho_quiere('factura.rechazada') then perform gancho_avisar('factura.rechazada', (select array_agg((id)::text)
        from after a join before b using (id)
        where a.type = 'cfdi.stamp' and a.state in ('refused', 'cancelled') and b.state not in ('refused', 'cancelled'))); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_factura_timbrada()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('factura.timbrada') then perform gancho_avisar('factura.timbrada', (select array_agg((a.id)::text) from after a)); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_orden_actualizada()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if gancho_quiere('orden.actualizada') then
        perform gancho_avisar('orden.actualizada', (select array_agg((id)::text) from (
          select id, version, estatus, clase, facturado from after where creada_en <> now()
          except select id, version, estatus, clase, facturado from before) moved));
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_orden_creada()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('orden.creada') then perform gancho_avisar('orden.creada', (select array_agg((a.id)::text) from after a)); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_pedido_actualizado()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('pedido.actualizado') then perform gancho_avisar('pedido.actualizado', (select array_agg((id)::text) from after a join before b using (id) where (a.version, a.estado) is distinct from (b.version, b.estado))); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_pedido_creado()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('pedido.actualizado') then perform gancho_avisar('pedido.actualizado', (select array_agg((a.id)::text) from after a)); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_pregunta_nueva()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('pregunta.nueva') then perform gancho_avisar('pregunta.nueva', (select array_agg((a.id)::text) from after a where a.estatus = 'pendiente')); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_quiere(cual text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (EXISTS (SELECT FROM gancho WHERE (gancho_quiere.cual = ANY (gancho.tipos))))
;

CREATE OR REPLACE FUNCTION public.gancho_reclamo_nuevo()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('reclamo.nuevo') then perform gancho_avisar('reclamo.nuevo', (select array_agg((a.id)::text) from after a where a.estatus = 'abierto')); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.gancho_stock_movido()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if gancho_quiere('stock.movido') then perform gancho_avisar('stock.movido', (select array_agg((a.id)::text) from after a)); end if;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.guard_effect()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if (old.type, old.key, old.ref, old.connection, old.request, old.request_hash) is distinct from
         (new.type, new.key, new.ref, new.connection, new.request, new.request_hash) then
        raise exception 'lo que se pidió en un efecto no cambia' using errcode = 'restrict_violation';
      end if;
      if old.state in ('done', 'refused', 'cancelled') and new.state <> old.state then
        raise exception 'un efecto terminado no cambia de estado' using errcode = 'restrict_violation';
      end if;
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.guard_nota_credito()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      -- Two that credit the same factura pass here one after the other.
      perform 1 from factura where id in (select factura_id from nuevas) order by id for no key update;
      if exists (
        select from factura f join nota_credito_orden n on n.factura_id = f.id
        where f.id in (select factura_id from nuevas) group by f.id having sum(n.importe) > f.total
      ) then
        raise exception 'las notas de crédito pasan del total de la factura' using errcode = 'check_violation';
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_asentar(ordenes uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
    begin
      perform from libro_venta where orden_id = any(ordenes) order by orden_id for update;
      with debe as materialized (
        select * from libro_debe(ordenes)
      ),
      hay as (
        select s.orden_id, s.renglon, s.de, s.a, sum(s.importe) as importe,
          (array_agg(s.cierto order by s.id desc))[1] as cierto, (array_agg(s.fuente order by s.id desc))[1] as fuente
        from asiento s where s.orden_id = any(ordenes)
        group by 1, 2, 3, 4
      ),
      escrito as (
        insert into asiento (orden_id, renglon, de, a, importe, cierto, fuente, ocurrio)
        select orden_id, renglon, de, a, coalesce(d.importe, 0) - coalesce(h.importe, 0),
          coalesce(d.cierto, true), coalesce(d.fuente, 'retiro'), coalesce(d.ocurrio, now())
        from (select * from debe where debe.importe is not null) d full join hay h using (orden_id, renglon, de, a)
        where coalesce(d.importe, 0) <> coalesce(h.importe, 0)
          or (d.importe is not null and (d.cierto, d.fuente) is distinct from (h.cierto, h.fuente))
        returning 1
      ),
      sumas as (
        select o.id, coalesce(r.recibe, 0) as recibe, coalesce(r.costo, 0) as costo, coalesce(r.por_liberar, 0) as por_liberar,
          coalesce(r.comision, 0) as comision, coalesce(r.retencion, 0) as retencion,
          case when r.falta && '{envio}' then null else coalesce(r.envio, 0) end as envio, coalesce(r.estima, '{}') as estima, coalesce(r.falta, '{}') as falta, orden.liquidado is not null as liquidada
        from unnest(ordenes) o (id) join orden on orden.id = o.id
          left join (
            select orden_id,
              sum(case when de = any(array['venta', 'comision', 'cupon', 'envio', 'retenido', 'otros']) then importe else 0 end - case when a = any(array['venta', 'comision', 'cupon', 'envio', 'retenido', 'otros']) then importe else 0 end) as recibe,
              sum(case 'comision' when a then importe when de then -importe end) as comision,
              sum(case 'envio' when a then importe when de then -importe end) as envio,
              sum(case 'retenido' when a then importe when de then -importe end) as retencion,
              sum(case when a = 'costo' then importe else 0 end - case when de = 'costo' then importe else 0 end) as costo,
              sum(case when a like 'porLiberar:%' then importe else 0 end - case when de like 'porLiberar:%' then importe else 0 end) as por_liberar,
              array_agg(distinct split_part(renglon, ':', 1) order by split_part(renglon, ':', 1)) filter (where not cierto and importe is not null)
                || case when bool_or(fuente = 'estimacion') then '{estimacion}' else '{}' end::text[] as estima,
              array_agg(distinct split_part(renglon, ':', 1) order by split_part(renglon, ':', 1)) filter (where importe is null) as falta
            from debe group by 1
          ) r on r.orden_id = o.id
      )
      update libro_venta l set recibe = s.recibe, costo = case when 'costo' = any(s.falta) then null else s.costo end,
        por_liberar = s.por_liberar, comision = s.comision, envio = s.envio, retencion = s.retencion, estima = s.estima, falta = s.falta, liquidada = s.liquidada
      from sumas s
      where l.orden_id = s.id
        and (l.recibe, l.costo, l.por_liberar, l.comision, l.envio, l.retencion, l.estima, l.falta, l.liquidada) is distinct from
          (s.recibe, case when 'costo' = any(s.falta) then null else s.costo end, s.por_liberar, s.comision, s.envio, s.retencion, s.estima, s.falta, s.liquidada);
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_debe(ordenes uuid[])
 RETURNS TABLE(orden_id uuid, renglon text, de text, a text, importe numeric, cierto boolean, fuente text, ocurrio timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
    with venta as (
      select o.id, o.market, o.clase, o.liquidado, o.envio_propio, o.costo_envio, o.fecha_creacion,
        c.deposito_id, c.recibido,
        o.clase not in ('cancelada', 'devuelta') as viva,
        case when o.liquidado is null then 'mercado' else 'liquidacion' end as fuente,
        coalesce(c.fecha, o.fecha_creacion) as ocurrio,
        coalesce(c.r_cobrado + coalesce(o.cupon, 0), p.pagado) as cobrado,
        case when o.clase not in ('cancelada', 'devuelta') or o.retencion is not null or o.liquidado is not null then coalesce(o.cupon, 0) else 0 end as cupon,
        o.retencion is not null or o.liquidado is not null as cupon_dicho,
        o.cupon is null and o.liquidado is null as cupon_sin_decir,
        coalesce(-c.r_devuelto, 0) as devuelto,
        case when (o.situacion in ('cobroPendiente', 'autorizandoPago') and o.liquidado is null) then 0 else coalesce(-c.r_comision, o.comision, round(p.pagado * oc.comision / oc.cobrado, 2), round(p.pagado * tasa.comision, 2)) end as comision,
        o.liquidado is not null or o.comision is not null as comision_dicha,
        oc.orden_id is not null as comision_estimada,
        coalesce(-(c.r_iva + c.r_isr + c.r_retencion), o.retencion, round(p.pagado / 1.16 * tasa.retencion, 2)) as retencion,
        o.liquidado is not null or o.retencion is not null as retencion_dicha,
        coalesce(o.retencion, -c.e_retencion) + c.e_retencion as retencion_del_mes,
        case when o.envio_propio or (o.situacion in ('cobroPendiente', 'autorizandoPago') and o.liquidado is null) then 0 else coalesce(-c.r_envio, o.costo_envio) end as envio,
        e.id is not null and e.costo is null and (o.envio_propio or o.liquidado is null) as envio_sin_decir,
        coalesce(e.tipo_logistico = 'fulfillment', false) as de_su_almacen
      from orden o
        left join conciliacion c on c.orden_id = o.id and o.liquidado is not null
        left join envio e on e.id = o.envio_id
        left join ajuste on ajuste.clave = 'tarifa_' || o.market
        left join orden_comision oc on oc.orden_id = o.id
        cross join lateral tasa_de_ley(o.fecha_creacion) ley
        cross join lateral (
          select case when o.clase = 'devuelta' then coalesce(o.en_pie + o.envio_carrito, 0) else o.pagado end as pagado
        ) p
        cross join lateral (
          select coalesce((ajuste.valor ->> 'comision')::numeric, 0.15) as comision,
            coalesce((ajuste.valor ->> 'retencionIva')::numeric, ley.iva) + coalesce((ajuste.valor ->> 'retencionIsr')::numeric, ley.isr) as retencion
        ) tasa
      where o.id = any(ordenes)
    ),
    de_mercado as (
      select v.id, r.*, v.ocurrio
      from venta v cross join lateral (values
        ('venta', 'venta', 'porLiberar:' || v.market, v.cobrado, true, v.fuente),
        ('devolucion', 'porLiberar:' || v.market, 'venta', v.devuelto, true, v.fuente),
        ('comision', 'porLiberar:' || v.market, 'comision', v.comision, v.comision_dicha,
          case when v.comision_dicha then v.fuente when v.comision_estimada then 'estimacion' else 'tarifa' end),
        ('retencion', 'porLiberar:' || v.market, 'retenido', v.retencion, v.retencion_dicha,
          case when v.retencion_dicha then v.fuente else 'tarifa' end),
        ('retencionDelMes', 'porDescontar:' || v.market, 'retenido', coalesce(v.retencion_del_mes, 0), true, v.fuente),
        ('cupon', 'porLiberar:' || v.market, 'cupon', v.cupon, v.cupon_dicho, v.fuente),
        ('envio', 'porLiberar:' || v.market, 'envio', v.envio, true, v.fuente),
        ('etiqueta', 'paqueteria', 'envio', case when v.envio_propio then v.costo_envio else 0 end, true, 'envio'),
        ('otros', 'porLiberar:' || v.market, 'otros',
          coalesce(v.cobrado - v.devuelto - v.comision - v.retencion - coalesce(v.retencion_del_mes, 0) - v.cupon - v.envio - v.liquidado, 0), true, v.fuente),
        ('deposito', 'porLiberar:' || v.market, 'banco', case when v.deposito_id is null then 0 else v.recibido end, true, 'liquidacion')
      ) r (renglon, de, a, importe, cierto, fuente)
      where r.importe <> 0
      union all
      select id, 'envio', null, null, null, false, 'envio', fecha_creacion from venta where viva and envio_sin_decir
      union all
      select id, 'cupon', null, null, null, false, 'mercado', fecha_creacion from venta where viva and cupon_sin_decir
    ),
    -- A supplier's note takes its part off the cost of the sale, whatever it is used for.
    bonificado as (
      select f.orden_id as id, n.nota_id, f.proveedor, sum(n.importe) as importe, max(c.fecha) as ocurrio
      from proveedor_nota_factura n join proveedor_factura f on f.id = n.factura_id join proveedor_cfdi c on c.id = n.nota_id
      where f.orden_id = any(ordenes)
      group by 1, 2, 3
    ),
    facturado as (
      select f.orden_id as id, f.proveedor, sum(f.monto) as importe, max(coalesce(f.emitida::timestamptz, f.fecha_creacion)) as ocurrio
      from proveedor_factura f
      where f.orden_id = any(ordenes)
      group by 1, 2
    ),
    pedido_sin_factura as (
      select l.orden_id as id, p.proveedor, max(p.creado_en) as ocurrio,
        case when bool_and(l.precio is not null and (l.moneda = 'MXN' or l.tipo_cambio is not null)) then
          round(sum(l.cantidad * l.precio * case when l.moneda = 'MXN' then 1 else l.tipo_cambio end) * 1.16, 2) end as importe
      from pedido_linea l join pedido p on p.id = l.pedido_id
      where l.orden_id = any(ordenes) and p.estado not in ('borrador', 'cancelado', 'rechazado', 'vencido')
        and not exists (select from facturado f where f.id = l.orden_id and f.proveedor = p.proveedor)
      group by 1, 2
    ),
    vendida as (
      select s.venta_id as id, s.folio, s.costo as importe, s.cambiada_en as ocurrio
      from stock_interno s where s.venta_id = any(ordenes)
    ),
    comprada as (
      select id from facturado union select id from pedido_sin_factura union select id from vendida
    ),
    linea_propia as (
      select v.id, a.sku, a.cantidad * c.costo as importe, v.liquidado is not null and v.clase <> 'devuelta' as cierto, v.fecha_creacion as ocurrio,
        t.proveedor, a.cantidad * t.precio * case when t.moneda = 'MXN' then 1 else t.tipo_cambio end as visto,
        count(*) over (partition by v.id) = count(coalesce(c.costo, t.precio)) over (partition by v.id) as todas
      from venta v join articulo a on a.orden_id = v.id
        left join lateral (
          select p.costo from costo_propio p
            cross join lateral (select v.liquidado is not null and p.escrito_en > v.ocurrio as tarde) t
          where p.sku = lower(a.sku) and p.desde <= (v.fecha_creacion at time zone 'America/Mexico_City')::date
            and (v.de_su_almacen or not p.solo_almacen) and not (t.tarde and p.costo is null)
          order by t.tarde, case when t.tarde then p.id end, p.desde desc, p.id desc limit 1
        ) c on true
        left join costo_visto t on c.costo is null and t.orden_id = v.id and t.sku = lower(a.sku) and v.viva and v.cobrado > 0 and not v.de_su_almacen
      where v.clase <> 'cancelada' and not exists (select from comprada b where b.id = v.id)
    ),
    propia as (
      select id, sku, sum(importe) as importe, bool_and(cierto) as cierto, max(ocurrio) as ocurrio from linea_propia where todas and importe is not null group by 1, 2
    ),
    visto as (
      select id, proveedor, round(sum(visto) * 1.16, 2) as importe, max(ocurrio) as ocurrio from linea_propia where todas and importe is null group by 1, 2
    ),
    con_costo as (
      select id from comprada union select id from propia union select id from visto
    ),
    -- A piece that came back takes its cost to the shelf. One that was lost keeps what somebody got for it; one that its supplier took back, what it gave.
    de_vuelta as (
      select s.orden_id as id, s.folio, s.cambiada_en as ocurrio,
        case when s.estado = 'devueltoProveedor' then 'proveedor:' || coalesce(s.proveedor, 'otro')
          when s.estado in ('danado', 'baja') then 'banco' else 'estante' end as cuenta,
        case when s.estado in ('danado', 'baja') or (s.estado = 'devueltoProveedor' and s.recuperado > 0) then s.recuperado else s.costo end as importe,
        s.estado <> 'devueltoProveedor' or s.recuperado > 0 as cierto
      from stock_interno s join con_costo c on c.id = s.orden_id
      where s.orden_id = any(ordenes)
    )
    select * from de_mercado
    union all
    select id, 'costo:' || proveedor, 'proveedor:' || proveedor, 'costo', importe, true, 'factura', ocurrio from facturado where importe <> 0
    union all
    select id, 'nota:' || proveedor || ':' || nota_id, 'costo', 'proveedor:' || proveedor, importe, true, 'nota', ocurrio from bonificado
    union all
    select id, 'costo:' || proveedor, 'proveedor:' || proveedor, 'costo', importe, false, 'pedido', ocurrio from pedido_sin_factura
    union all
    select id, 'pieza:' || folio, 'estante', 'costo', importe, true, 'pieza', ocurrio from vendida
    union all
    select id, 'propio:' || sku, 'existencias', 'costo', importe, cierto, 'producto', ocurrio from propia
    union all
    select id, 'catalogo:' || proveedor, 'porPedir:' || proveedor, 'costo', importe, false, 'catalogo', ocurrio from visto
    union all
    select id, 'recuperado:' || folio, 'costo', cuenta, importe, cierto, 'pieza', ocurrio from de_vuelta where importe <> 0
    union all
    -- A sale that was cancelled and bought nothing cost nothing; of any other nobody knows it.
    select v.id, 'costo', null, null, null, false, 'pedido', v.fecha_creacion
    from venta v where v.clase <> 'cancelada' and not exists (select from con_costo c where c.id = v.id) $function$
;

CREATE OR REPLACE FUNCTION public.libro_of(ordenes uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
    select 1 from libro_venta where orden_id = any(ordenes) order by orden_id for update;
    insert into libro_venta as l (orden_id, fecha, pagado, cobrado, acreditado, documentos)
    select o.id, o.fecha_creacion,
      case when o.clase in ('cancelada', 'devuelta') or o.meli_resale
        or o.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') or o.pagado_abs <= 0 then 0 else o.pagado_abs end,
      c.cobrado, n.acreditado, c.documentos
    from orden o
      cross join lateral (
        select coalesce(sum(coalesce(fo.importe, o.pagado_abs)), 0) as cobrado, count(*) as documentos
        from factura_orden fo join factura f on f.id = fo.factura_id and f.estatus <> 'cancelada' where fo.orden_id = o.id
      ) c
      cross join lateral (
        select coalesce(sum(n.importe), 0) as acreditado
        from nota_credito_orden n join factura f on f.id = n.factura_id and f.estatus <> 'cancelada' where n.orden_id = o.id
      ) n
    where o.id = any(ordenes) order by o.id
    on conflict (orden_id) do update set fecha = excluded.fecha, pagado = excluded.pagado, cobrado = excluded.cobrado,
      acreditado = excluded.acreditado, documentos = excluded.documentos
    where (l.fecha, l.pagado, l.cobrado, l.acreditado, l.documentos)
      is distinct from (excluded.fecha, excluded.pagado, excluded.cobrado, excluded.acreditado, excluded.documentos) $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_articulos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[];
    begin
      if tg_op = 'DELETE' then
        movidas := array(select distinct o.id from before a join orden o on o.id = a.orden_id
          where exists (select from costo_propio c where c.sku = lower(a.sku)) or exists (select from costo_visto t where t.orden_id = a.orden_id));
      elsif tg_op = 'INSERT' then
        movidas := array(select distinct a.orden_id from after a
          where exists (select from costo_propio c where c.sku = lower(a.sku)) or exists (select from costo_visto t where t.orden_id = a.orden_id));
      else
        movidas := array(
          select distinct orden_id from (
            (select id, orden_id, sku, cantidad from after except select id, orden_id, sku, cantidad from before)
            union all
            (select id, orden_id, sku, cantidad from before except select id, orden_id, sku, cantidad from after)) a
          where exists (select from costo_propio c where c.sku = lower(a.sku)) or exists (select from costo_visto t where t.orden_id = a.orden_id));
      end if;
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_comisiones()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform libro_asentar(array(select orden_id from after));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_costos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select distinct orden_id from after);
      elsif tg_op = 'DELETE' then
        movidas := array(select distinct orden_id from before);
      else
        movidas := array(select orden_id from before union select orden_id from after);
      end if;
      perform libro_asentar(movidas);
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_dinero()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select id from after);
      else
        movidas := array(
          select id from (
            select id, clase, situacion, pagado_abs, en_pie, comision, retencion, cupon, costo_envio, envio_propio, envio_id, liquidado from after
            except
            select id, clase, situacion, pagado_abs, en_pie, comision, retencion, cupon, costo_envio, envio_propio, envio_id, liquidado from before) moved);
      end if;
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_documentos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform libro_of(array(select distinct orden_id from changed));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_envios()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare
      envios uuid[] := array(
        select id from (
          select id, costo is null, tipo_logistico is not distinct from 'fulfillment' from after
          except select id, costo is null, tipo_logistico is not distinct from 'fulfillment' from before) moved);
      movidas uuid[];
    begin
      if cardinality(envios) > 0 then
        movidas := array(select id from orden where envio_id = any(envios));
        if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_factura()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform libro_of(array(select orden_id from factura_orden where factura_id = new.id));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_ordenes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        insert into libro_venta (orden_id, fecha, pagado) select o.id, o.fecha_creacion, case when o.clase in ('cancelada', 'devuelta') or o.meli_resale
    or o.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') or o.pagado_abs <= 0 then 0 else o.pagado_abs end from after o;
      else
        movidas := array(
          select id from (
            select id, clase, situacion, pagado_abs, meli_resale, fecha_creacion from after
            except select id, clase, situacion, pagado_abs, meli_resale, fecha_creacion from before) moved);
        if cardinality(movidas) > 0 then perform libro_of(movidas); end if;
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_pedidos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[] := array(
      select distinct l.orden_id from after a join before b using (id) join pedido_linea l on l.pedido_id = a.id
      where a.estado <> b.estado);
    begin
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_piezas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform libro_asentar(array(
        select distinct id from unnest(case when tg_op = 'INSERT' then array[new.orden_id, new.venta_id]
          else array[old.orden_id, old.venta_id, new.orden_id, new.venta_id] end) id where id is not null));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_of_vistos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform libro_asentar(array(select distinct orden_id from after));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.libro_recibe(orden uuid)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
    select sum(case when de = any(array['venta', 'comision', 'cupon', 'envio', 'retenido', 'otros']) then importe else 0 end - case when a = any(array['venta', 'comision', 'cupon', 'envio', 'retenido', 'otros']) then importe else 0 end)
    from libro_debe(array[orden]) where importe is not null $function$
;

CREATE OR REPLACE FUNCTION public.nombre_of_proveedor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      select label into new.proveedor_nombre from proveedor where value = new.proveedor;
      new.proveedor_nombre := coalesce(new.proveedor_nombre, '');
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.nota_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform acreditada_of(array(select distinct factura_id from changed where factura_id is not null));
      if tg_table_name = 'proveedor_nota_factura' then
        perform libro_asentar(array(select distinct f.orden_id from changed c join proveedor_factura f on f.id = c.factura_id));
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.oferta_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into producto_cuenta (proveedor, existencia, cuantos)
        select p.proveedor, clase_existencia(c.existencia), count(*) from changed c join producto p on p.id = c.producto_id group by 1, 2;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.oferta_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      execute $q$
        insert into publicacion_mirar (producto_id, motivo)
          select distinct a.producto_id, 'proveedor' from after a left join before b using (producto_id)
          where (b.producto_id is null or (a.precio, a.moneda, a.tipo_cambio, a.existencia) is distinct from (b.precio, b.moneda, b.tipo_cambio, b.existencia))
            and exists (select from publicacion p where p.producto_id = a.producto_id and p.auto_sync)$q$;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.oferta_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      execute $q$
        insert into producto_cuenta (proveedor, existencia, cuantos)
          select p.proveedor, m.clase, sum(m.cuantos)
          from before b join after a using (producto_id) join producto p on p.id = producto_id,
            lateral (values (clase_existencia(a.existencia), 1), (clase_existencia(b.existencia), -1)) m (clase, cuantos)
          where clase_existencia(a.existencia) <> clase_existencia(b.existencia)
          group by 1, 2 having sum(m.cuantos) <> 0$q$;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.orden_comprador_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      new.documentos := concat_ws(' ', nullif(new.documentos, ''), comprador_de(new));
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.orden_comprador_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      new.documentos := documentos_de(new);
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.orden_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[] := array(
      select id from (select id, clase, estatus from after except select id, clase, estatus from before) moved);
    begin
      if cardinality(movidas) > 0 then
        insert into publicacion_mirar (producto_id, motivo)
          select distinct p.producto_id, 'venta' from articulo a join publicacion p on lower(p.sku) = lower(a.sku)
          where a.orden_id = any(movidas) and p.auto_sync and p.producto_id is not null;
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.paga_facturas(ordenes uuid[], pagos uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
    declare tocadas uuid[]; suyos uuid[];
    begin
      suyos := array(select pago_id from pago_orden where orden_id = any(ordenes) union select unnest(pagos));
      tocadas := array(select unnest(ordenes) union select orden_id from pago_orden where pago_id = any(suyos));
      -- Two writers of one sale pass here one after the other: an invoice locks its sale too, and what follows sees what the first writer committed.
      perform 1 from orden where id = any(tocadas) order by id for no key update;
      suyos := array(select pago_id from pago_orden where orden_id = any(ordenes) union select unnest(pagos));
      tocadas := array(select unnest(ordenes) union select orden_id from pago_orden where pago_id = any(suyos));
      suyos := array(select distinct pago_id from pago_orden where orden_id = any(tocadas));
      update proveedor_factura f set pagada = reparto.pagada
      from (
        select p.id, greatest(0, least(p.monto - p.acreditada, coalesce(d.dado, 0) - (
            sum(p.monto - p.acreditada) over (partition by p.orden_id, p.proveedor order by p.fecha_creacion, p.id) - (p.monto - p.acreditada)))) as pagada
        from proveedor_factura p
          left join (
            select orden_id, proveedor, sum(dado) as dado from pago_dado where pago_id = any(suyos) group by 1, 2
          ) d on d.orden_id = p.orden_id and d.proveedor = p.proveedor
        where p.orden_id = any(tocadas)
      ) reparto
      where f.id = reparto.id and f.pagada <> reparto.pagada;
    end $function$
;

CREATE OR REPLACE FUNCTION public.paga_of_facturas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select distinct orden_id from after);
      elsif tg_op = 'DELETE' then
        movidas := array(select distinct orden_id from before);
      else
        movidas := array(
          select x.orden_id from after a join before b using (id) cross join lateral (values (a.orden_id), (b.orden_id)) x (orden_id)
          where (a.monto, a.acreditada, a.proveedor, a.orden_id) is distinct from (b.monto, b.acreditada, b.proveedor, b.orden_id));
      end if;
      if exists (select from pago_orden where orden_id = any(movidas)) then
        perform paga_facturas(movidas, '{}');
      end if;
      perform facturado_aqui_of(array(select distinct pedido_id from pedido_linea where orden_id = any(movidas)));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.paga_of_ordenes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform paga_facturas(array(select distinct orden_id from changed), array(select distinct pago_id from changed));
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.paga_of_pago()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform paga_facturas('{}', array[new.id]);
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.pago_aplicado(pagos uuid[])
 RETURNS TABLE(pago_id uuid, factura_id uuid, importe numeric)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
    declare suyas uuid[]; todos uuid[];
    begin
      suyas := array(select distinct po.orden_id from pago_orden po where po.pago_id = any(pagos));
      todos := array(select distinct po.pago_id from pago_orden po where po.orden_id = any(suyas));
      return query
        with dado as (
          select d.pago_id, d.orden_id, d.proveedor, d.dado,
            sum(d.dado) over (partition by d.orden_id, d.proveedor order by p.fecha nulls last, p.creado_en, p.id) as hasta
          from pago_dado d join pago p on p.id = d.pago_id
          where d.pago_id = any(todos) and d.orden_id = any(suyas)
        ), factura as (
          select f.id, f.orden_id, f.proveedor, f.monto - f.acreditada as monto,
            sum(f.monto - f.acreditada) over (partition by f.orden_id, f.proveedor order by f.fecha_creacion, f.id) as hasta
          from proveedor_factura f where f.orden_id = any(suyas)
        ), cruce as (
          select d.pago_id, f.id as factura_id, least(d.hasta, f.hasta) - greatest(d.hasta - d.dado, f.hasta - f.monto) as importe
          from dado d join factura f on f.orden_id = d.orden_id and f.proveedor = d.proveedor
          where d.pago_id = any(pagos)
        )
        select c.pago_id, c.factura_id, c.importe from cruce c where c.importe > 0;
    end $function$
;

CREATE OR REPLACE FUNCTION public.pedido_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'INSERT' then
        if new.estado <> 'borrador' then raise exception 'un pedido empieza como borrador' using errcode = 'check_violation'; end if;
        insert into pedido_historia (pedido_id, a, usuario_id, detalle) values (new.id, new.estado, new.movido_por, new.detalle);
      elsif new.estado <> old.estado then
        insert into pedido_historia (pedido_id, de, a, usuario_id, detalle) values (new.id, old.estado, new.estado, new.movido_por, new.detalle);
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.producto_llaves(marca text, modelo text, gtins text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
    declare
      llaves text[] := '{}';
      uno text;
      m text := regexp_replace(translate(upper(marca), 'ÁÉÍÓÚÜÑ', 'AEIOUUN'), '[^A-Z0-9]', '', 'g');
      n text := regexp_replace(translate(upper(modelo), 'ÁÉÍÓÚÜÑ', 'AEIOUUN'), '[^A-Z0-9]', '', 'g');
    begin
      foreach uno in array gtins loop
        if uno ~ '^[0-9]{8,14}$' then llaves := llaves || ('g' || lpad(uno, 14, '0')); end if;
      end loop;
      if m <> '' and length(n) >= 3 and n ~ '[0-9]' then llaves := llaves || ('m' || m || '|' || n); end if;
      return llaves;
    end $function$
;

CREATE OR REPLACE FUNCTION public.producto_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      execute $q$
        insert into publicacion_mirar (producto_id, motivo)
          select a.id, case when a.ausente_desde is distinct from b.ausente_desde or a.en_venta <> b.en_venta then 'proveedor' else 'regla' end
          from after a join before b using (id)
          where (a.costo_envio, a.producto_maximo, a.ausente_desde, a.en_venta) is distinct from (b.costo_envio, b.producto_maximo, b.ausente_desde, b.en_venta)
            and exists (select from publicacion p where p.producto_id = a.id and p.auto_sync)$q$;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.proveedor_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_table_name = 'catalogo_proveedor' then
        if new.tipo_cambio is not distinct from old.tipo_cambio and new.frescura_min = old.frescura_min then
          return null;
        end if;
      end if;
      insert into publicacion_mirar (producto_id, motivo)
        select distinct p.producto_id, case tg_table_name when 'catalogo_proveedor' then 'proveedor' when 'catalogo_pausa' then 'frescura' else 'regla' end
        from publicacion p where p.auto_sync and p.producto_id is not null and p.proveedor = new.proveedor
          and (tg_table_name <> 'catalogo_pausa' or (to_jsonb(new) ->> 'producto_id') is null or p.producto_id = (to_jsonb(new) ->> 'producto_id')::uuid);
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.proveedor_of_orden()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update orden o set proveedor = a.proveedor
      from (select distinct on (orden_id) orden_id, articulo.proveedor from articulo
            where orden_id in (select orden_id from changed) order by orden_id, posicion) a
      where o.id = a.orden_id and o.proveedor is distinct from a.proveedor;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.proveedor_renamed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update proveedor_factura set proveedor_nombre = new.label where proveedor = new.value;
      update agente_venta set proveedor_nombre = new.label where proveedor = new.value;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.purgar_bitacora(dias integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
    declare n bigint;
    begin
      if dias < 1826 then raise exception 'la bitácora se conserva al menos cinco años'; end if;
      perform set_config('trastienda.purga', 'bitacora', true);
      delete from bitacora where en < now() - make_interval(days => dias);
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $function$
;

CREATE OR REPLACE FUNCTION public.purgar_cartas(dias integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
    declare n bigint;
    begin
      if dias < 365 then raise exception 'las cartas se conservan al menos un año'; end if;
      perform set_config('trastienda.purga', 'effect_attempt', true);
      delete from effect_attempt a using effect e
        where e.id = a.effect_id and (e.connection = 'correo' or e.type in ('pac.client', 'pac.publicClient'))
          and e.settled_at < now() - make_interval(days => dias) and e.look_again_at is null and e.late_evidence is null;
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $function$
;

CREATE OR REPLACE FUNCTION public.purgar_evidencia(dias integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
    declare n bigint;
    begin
      if dias < 30 then raise exception 'la evidencia se conserva al menos 30 días'; end if;
      perform set_config('trastienda.purga', 'effect_attempt', true);
      update effect_attempt a set sealed = null from effect e
        where e.id = a.effect_id and a.sealed is not null and a.at < now() - make_interval(days => dias)
          and e.state in ('done', 'refused', 'cancelled') and e.look_again_at is null and e.late_evidence is null;
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $function$
;

CREATE OR REPLACE FUNCTION public.purgar_intentos(dias integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
    declare n bigint;
    begin
      if dias < 90 then raise exception 'los intentos se conservan al menos 90 días'; end if;
      perform set_config('trastienda.purga', 'effect_attempt', true);
      delete from effect_attempt a using effect e
        where e.id = a.effect_id and a.at < now() - make_interval(days => dias)
          and e.state in ('done', 'refused', 'cancelled') and e.look_again_at is null and e.late_evidence is null;
      get diagnostics n = row_count;
      perform set_config('trastienda.purga', '', true);
      return n;
    end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op <> 'TRUNCATE' and current_setting('trastienda.purga', true) = tg_table_name then return null; end if;
      raise exception 'la tabla % solo admite altas', tg_table_name using errcode = 'restrict_violation';
    end $function$
;

CREATE OR REPLACE FUNCTION public.share_costo_envio(envios uuid[])
 RETURNS void
 LANGUAGE sql
AS $function$
    update orden o set costo_envio = c.costo
    from (select id, case when (envio_propio or clase not in ('cancelada', 'devuelta')) and row_number() over (
              partition by envio_id order by clase in ('cancelada', 'devuelta'), market_id) = 1 then costo else 0 end as costo
          from (select x.id, x.envio_id, x.envio_propio, x.market_id, x.clase, coalesce(e.costo, 0) as costo
                from orden x join envio e on e.id = x.envio_id where x.envio_id = any (envios)) y) c
    where o.id = c.id and o.costo_envio <> c.costo $function$
;

CREATE OR REPLACE FUNCTION public.stock_empieza()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into stock_movimiento (pieza_id, a, usuario_id) values (new.id, new.estado, new.creada_por);
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.stock_escrito()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'INSERT' then
        if not (select inicial from stock_estado where value = new.estado) then
          raise exception 'una pieza no empieza en %', new.estado using errcode = 'check_violation';
        end if;
      elsif new.estado <> old.estado and pg_trigger_depth() < 2 then
        raise exception 'el estado de una pieza cambia con un movimiento' using errcode = 'check_violation';
      end if;
      new.busqueda := f_norm(concat_ws(' ', stock_folio_de(new.anio, new.numero), new.factura_folio, new.descripcion, new.observaciones,
        (select num_orden from orden where id = new.orden_id),
        (select concat_ws(' ', nombre, modelo, id_proveedor) from producto where id = new.producto_id),
        (select label from proveedor where value = new.proveedor)));
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.stock_folio_de(anio smallint, numero integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((((('DV-'::text || lpad((((anio)::integer % 100))::text, 2, '0'::text)) || '-'::text) || lpad((numero)::text, 6, '0'::text)) || '-'::text) || substr('TRWAGMYFPDXBNJZSQVHLCKE'::text, ((((((anio)::integer % 100) * 1000000) + numero) % 23) + 1), 1))
;

CREATE OR REPLACE FUNCTION public.stock_mueve()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare
      esta text;
      ultimo stock_movimiento;
    begin
      select estado into esta from stock_interno where id = new.pieza_id for update;
      if new.de is null then
        if esta is distinct from new.a or exists (select from stock_movimiento where pieza_id = new.pieza_id) then
          raise exception 'una pieza empieza una vez' using errcode = 'check_violation';
        end if;
        return new;
      end if;
      if esta is distinct from new.de then
        raise exception 'la pieza está en % y no en %', esta, new.de using errcode = 'check_violation';
      end if;
      if new.deshace is not null then
        select * into ultimo from stock_movimiento where pieza_id = new.pieza_id order by id desc limit 1;
        if ultimo.id is distinct from new.deshace or ultimo.de is distinct from new.a or ultimo.deshace is not null
          or ultimo.en < clock_timestamp() - interval '10 minutes' then
          raise exception 'ese movimiento ya no se deshace' using errcode = 'check_violation';
        end if;
      elsif not exists (select from stock_paso where de = new.de and a = new.a) then
        raise exception 'de % no se pasa a %', new.de, new.a using errcode = 'check_violation';
      end if;
      update stock_interno set estado = new.a, venta_id = new.venta_id, version = version + 1, cambiada_en = now() where id = new.pieza_id;
      return new;
    end $function$
;

CREATE OR REPLACE FUNCTION public.sum_proveedor_facturas()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        update orden set facturado = f.monto, facturas_proveedor = f.facturas
        from (select o.id, coalesce(sum(p.monto), 0) as monto, count(p.id) as facturas
              from orden o left join proveedor_factura p on p.orden_id = o.id
              where o.id in (select orden_id from changed) group by o.id) f
        where orden.id = f.id and (orden.facturado, orden.facturas_proveedor) is distinct from (f.monto, f.facturas);
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.sum_proveedor_facturas_both()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        update orden set facturado = f.monto, facturas_proveedor = f.facturas
        from (select o.id, coalesce(sum(p.monto), 0) as monto, count(p.id) as facturas
              from orden o left join proveedor_factura p on p.orden_id = o.id
              where o.id in (select orden_id from before union select orden_id from after) group by o.id) f
        where orden.id = f.id and (orden.facturado, orden.facturas_proveedor) is distinct from (f.monto, f.facturas);
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.tasa_de_ley(momento timestamp with time zone)
 RETURNS TABLE(iva numeric, isr numeric, hasta date)
 LANGUAGE sql
 STABLE
AS $function$
    select t.iva, t.isr, t.hasta from tasa_retencion t
    where t.persona = coalesce((select valor #>> '{}' from ajuste where clave = 'persona'), 'moral')
      and t.desde <= (momento at time zone 'America/Mexico_City')::date
    order by t.desde desc limit 1 $function$
;

CREATE OR REPLACE FUNCTION public.utilidad_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare mes_de_venta text := to_char(new.fecha at time zone 'America/Mexico_City', 'YYYY-MM');
    begin
      if mes_de_venta < to_char(now() at time zone 'America/Mexico_City', 'YYYY-MM') then
        insert into utilidad_ajuste (orden_id, mes, causa, antes, despues) values (new.orden_id, mes_de_venta,
          case when new.liquidada is distinct from old.liquidada or (new.liquidada and new.recibe <> old.recibe) then 'liquidacion'
               when new.costo is distinct from old.costo then 'factura' else 'relectura' end,
          old.queda, case when new.estima && '{costo,propio,catalogo}' then null else new.queda end);
      end if;
      return null;
    end $function$
;

CREATE OR REPLACE FUNCTION public.venta_of_proveedor_factura()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      select num_orden || ' ' || titulo into new.venta from orden where id = new.orden_id;
      new.venta := coalesce(new.venta, '');
      return new;
    end $function$
;
