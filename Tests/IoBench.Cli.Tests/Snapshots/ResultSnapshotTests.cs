using System.Text.RegularExpressions;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>Imported results as JSON, and results in each format.</summary>
public class ResultSnapshotTests
{
    private static readonly string[] s_imported =
    [
        "documents/write-8k-sequential-BN.txt",
        "diskspd-runs/v22-mix-r-L.out",
        "diskspd-runs/v22-mix-r-L-D-xml.out",
        "diskspd-2.3-synthetic/01-plain.txt",
        "fio/v3.42-mix.json",
        "fio/normal-mixed.txt",
        "crystaldiskmark/v8.txt",
        "vmfleet/result.tsv",
    ];

    [SnapshotFact]
    public void Imported_results_are_as_recorded() =>
        Snapshot.Match(
            "imports",
            s_imported.ToDictionary(
                name => name.Replace('/', '-') + ".json",
                name => Rounded(Output("import", SampleFiles.GetPath(name.Split('/')), "--format", "json"))
            )
        );

    [SnapshotFact]
    public void Results_in_every_format_are_as_recorded()
    {
        var all = Filled.Of<IoTestResult>();
        string[] formats = ["csv", "sqlio", "diskspd", "diskspd-xml", "fio"];
        Dictionary<string, string> files = new()
        {
            ["every-property.json"] = Written(ResultFormat.Json, all),
            ["every-property.csv"] = Written(ResultFormat.Csv, all),
        };
        foreach (var format in formats)
            files[$"diskspd-as-{format}.txt"] = Output("import", SampleFiles.GetPath("diskspd-runs", "v22-Sh.out"), "--format", format);
        files["sqlio-as-sqlio.txt"] = Output(
            "import",
            SampleFiles.GetPath("documents", "reads-8k-random-3-files.txt"),
            "--format",
            "sqlio"
        );
        Snapshot.Match("results", files);
    }

    /// <summary>The last digits of a computed number depend on the processor's mathematical functions.</summary>
    internal static string Rounded(string text) =>
        Regex.Replace(
            text,
            @"(?<=[:\[,] ?)-?\d+\.\d{9,}(E[+-]?\d+)?",
            number =>
                double.Parse(number.Value, System.Globalization.CultureInfo.InvariantCulture)
                    .ToString("G9", System.Globalization.CultureInfo.InvariantCulture)
        );

    internal static string Output(params string[] args)
    {
        var outcome = Cli.Run(args);
        Assert.True(outcome.Output.Length > 0, outcome.Error);
        return outcome.Output;
    }

    private static string Written(ResultFormat format, params IoTestResult[] results)
    {
        using var writer = new StringWriter();
        ResultWriter.Write(writer, results, format);
        return writer.ToString();
    }
}
