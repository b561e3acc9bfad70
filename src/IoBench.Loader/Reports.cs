using System.Reflection;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>The way to IoBench.Reports that never brings the Open XML SDK into the caller's context.</summary>
public static class Reports
{
    private static readonly Lazy<Action<string, IReadOnlyList<IoTestResult>, ReportOptions>> s_write = new(Bind);

    /// <summary>The folder of IoBench.Reports and its packages: <c>reports</c> beside this assembly.</summary>
    public static string Folder { get; } = Path.Combine(Path.GetDirectoryName(typeof(Reports).Assembly.Location)!, "reports");

    /// <summary>Writes a report: a workbook to <c>.xlsx</c>, a page to <c>.html</c>.</summary>
    /// <exception cref="IoBenchException">The path cannot be written, its extension is unknown, or there are no results.</exception>
    public static void Write(string path, IReadOnlyList<IoTestResult> results, ReportOptions options)
        => s_write.Value(path, results, options);

    private static Action<string, IReadOnlyList<IoTestResult>, ReportOptions> Bind()
    {
        var path = Path.Combine(Folder, "IoBench.Reports.dll");
        if (!File.Exists(path))
            throw IoBenchException.Failure("IoBench.IncompleteModule", $"{path} is missing: the module is not complete. Install it again, or run 'dotnet build' in a checkout.", path);
        var type = new ReportLoadContext(Folder).LoadFromAssemblyPath(path).GetType("IoBench.Reports.Report", throwOnError: true)!;
        var write = type.GetMethod("Write", BindingFlags.Public | BindingFlags.Static, [typeof(string), typeof(IReadOnlyList<IoTestResult>), typeof(ReportOptions)])
            ?? throw new MissingMethodException(type.FullName, "Write");
        return write.CreateDelegate<Action<string, IReadOnlyList<IoTestResult>, ReportOptions>>();
    }
}
