namespace IoBench.Formats;

/// <summary>
/// Formats that results can be written in. Formats that can only be read have an entry only in <see cref="ResultFormats"/>.
/// </summary>
public enum ResultFormat
{
    /// <summary>IoBench's own format: an array of results without loss of information.</summary>
    Json,

    /// <summary>The flat columns of a result, one row per result.</summary>
    Csv,

    /// <summary>SQLIO's text.</summary>
    Sqlio,

    /// <summary>DiskSpd's text.</summary>
    DiskSpd,

    /// <summary>DiskSpd's XML.</summary>
    DiskSpdXml,

    /// <summary>fio's JSON.</summary>
    Fio,
}
