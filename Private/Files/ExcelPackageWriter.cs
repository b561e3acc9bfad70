using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Copies the sheets from a temporary workbook. The package's type is the caller's: IoBench does not load ImportExcel.</summary>
internal static class ExcelPackageWriter
{
    /// <summary>Returns null if the package has no file.</summary>
    public static string? GetFileName(object package) => ((dynamic)package).File?.FullName;

    public static void AddReport(object package, IReadOnlyList<IoTestResult> results, ReportOptions options)
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
        // Charts refer to the sheet of their data by name, so the names must be final before the workbook is written.
        options.TakenSheetNames = sheets;
        IDisposable? report = null;
        try
        {
            ReportFile.Write(temporary, results, options);
            report = (IDisposable)Activator.CreateInstance(package.GetType(), new FileInfo(temporary))!;
            foreach (var sheet in ((dynamic)report).Workbook.Worksheets)
                CopySheet(sheet, workbook, tables);
        }
        finally
        {
            report?.Dispose();
            File.Delete(temporary);
        }
    }

    private static void CopySheet(dynamic sheet, dynamic workbook, HashSet<string> tables)
    {
        var added = workbook.Worksheets.Add((string)sheet.Name, sheet);
        // EPPlus copies neither the hidden state of a sheet nor the names of its tables, and it gives the first table of each sheet the
        // same name.
        added.Hidden = sheet.Hidden;
        foreach (var table in added.Tables)
        {
            var original = GetTableName(sheet, (string)table.Address.Address);
            var name = original;
            for (var number = 2; !tables.Add(name); number++)
                name = $"{original}_{number}";
            table.Name = name;
        }
    }

    private static string GetTableName(dynamic sheet, string address)
    {
        foreach (var table in sheet.Tables)
            if ((string)table.Address.Address == address)
                return (string)table.Name;
        throw new InvalidOperationException($"No table at {address}.");
    }
}
