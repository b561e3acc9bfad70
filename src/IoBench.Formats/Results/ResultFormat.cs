namespace IoBench.Formats.Results;

/// <summary>The formats that results are written in. What is only read is none of them, and has an entry in <see cref="ResultFormats"/> alone.</summary>
public enum ResultFormat
{
    /// <summary>IoBench's own: an array of results, lossless.</summary>
    Json,

    /// <summary>The flat columns of a result, a row each.</summary>
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
