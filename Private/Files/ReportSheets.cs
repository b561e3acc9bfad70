namespace IoBench.PowerShell.Files;

/// <summary>
/// Adds a report's sheets and charts to an open package of ImportExcel: the workbook is written to a temporary file and its sheets are copied. The package's
/// type is that of the caller's ImportExcel; IoBench itself does not load one.
/// </summary>
internal static class ReportSheets
{
    /// <summary>The package's file; null when it has none.</summary>
    public static string? NameOf(object package) => ((dynamic)package).File?.FullName;

    public static void Add(object package, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var temporary = Path.Combine(Path.GetTempPath(), $"iobench-{Guid.NewGuid():N}.xlsx");
        var workbook = ((dynamic)package).Workbook;
        List<string> sheets = [];
        var tables = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var sheet in workbook.Worksheets)
        {
            sheets.Add((string)sheet.Name);
            foreach (var table in sheet.Tables)
                tables.Add((string)table.Name);
        }
        // The charts name the sheet that their data are on, so the names must be right before the workbook is written.
        options.TakenSheetNames = sheets;
        IDisposable? report = null;
        try
        {
            ReportOutput.Write(temporary, results, options);
            report = (IDisposable)Activator.CreateInstance(package.GetType(), new FileInfo(temporary))!;
            foreach (var sheet in ((dynamic)report).Workbook.Worksheets)
                Copy(sheet, workbook, tables);
        }
        finally
        {
            report?.Dispose();
            File.Delete(temporary);
        }
    }

    private static void Copy(dynamic sheet, dynamic workbook, HashSet<string> tables)
    {
        var added = workbook.Worksheets.Add((string)sheet.Name, sheet);
        // EPPlus copies neither that a sheet is hidden nor the names of its tables, and gives each sheet's first table the same name.
        added.Hidden = sheet.Hidden;
        foreach (var table in added.Tables)
        {
            var original = NameAt(sheet, (string)table.Address.Address);
            var name = original;
            for (var number = 2; !tables.Add(name); number++)
                name = $"{original}_{number}";
            table.Name = name;
        }
    }

    private static string NameAt(dynamic sheet, string address)
    {
        foreach (var table in sheet.Tables)
            if ((string)table.Address.Address == address)
                return (string)table.Name;
        throw new InvalidOperationException($"No table at {address}.");
    }
}
