namespace IoBench.Formats;

/// <summary>The forms results are read from and written to.</summary>
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
}
