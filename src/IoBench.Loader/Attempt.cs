using System.Collections;
using System.Globalization;
using System.Reflection;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.Loader;

/// <summary>
/// What a call gave: a value or an error. PowerShell notes an exception in $Error and in -ErrorVariable even when the script catches it,
/// so that a user would see each error twice; what is returned in place of thrown is noted once.
/// </summary>
public sealed class Attempt
{
    private Attempt(object? value, Exception? error)
    {
        Value = value;
        Error = error;
    }

    /// <summary>What the call returned; null after an error.</summary>
    public object? Value { get; }

    /// <summary>What it threw; null when it succeeded.</summary>
    public Exception? Error { get; }

    /// <summary><see cref="WorkloadCatalog.Find"/>.</summary>
    public static Attempt FindWorkload(string name) => Of(() => WorkloadCatalog.Find(name));

    /// <summary><see cref="TestPlan.Create"/>.</summary>
    public static Attempt Plan(TestPlanRequest request) => Of(() => TestPlan.Create(request));

    /// <summary><see cref="TestFiles.Check"/>.</summary>
    public static Attempt Check(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options)
        => Of(() => TestFiles.Check(specification, target, options));

    /// <summary><see cref="TestFiles.Remove"/>; the value is the path.</summary>
    public static Attempt Remove(string path, bool force) => Of(() =>
    {
        TestFiles.Remove(path, force);
        return path;
    });

    /// <summary><see cref="TestRun.GetResult"/>.</summary>
    public static Attempt Result(TestRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return Of(run.GetResult);
    }

    /// <summary><see cref="FilePreparation.GetTarget"/>.</summary>
    public static Attempt Target(FilePreparation preparation)
    {
        ArgumentNullException.ThrowIfNull(preparation);
        return Of(preparation.GetTarget);
    }

    /// <summary><see cref="ResultReader.FindFiles"/>, as an array.</summary>
    public static Attempt FindFiles(string folder, bool recurse) => Of(() => ResultReader.FindFiles(folder, recurse).ToArray());

    /// <summary>All results of a file, as an array.</summary>
    public static Attempt ReadFile(string path) => Of(() => ResultReader.ReadFile(path).ToArray());

    /// <summary>A <see cref="ResultCursor"/> on a file.</summary>
    public static Attempt Open(string path, ResultFormat? expected) => Of(() => new ResultCursor(path, expected));

    /// <summary>A <see cref="ResultFile"/> of JSON: that of an interrupted run, or a new one.</summary>
    public static Attempt OpenOutput(string path, bool resume)
        => Of(() => resume && File.Exists(path) ? ResultFile.Resume(path, ResultFormat.Json) : ResultFile.Create(path, ResultFormat.Json));

    /// <summary><see cref="ResumePlan.Remaining"/>, as an array.</summary>
    public static Attempt Remaining(IReadOnlyList<IoTestSpecification> plan, ResultFile output)
    {
        ArgumentNullException.ThrowIfNull(output);
        return Of(() => ResumePlan.Remaining(plan, output.Results).ToArray());
    }

    /// <summary><see cref="ResultFile.Add"/>; the value is the result.</summary>
    public static Attempt Add(ResultFile output, IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(output);
        return Of(() =>
        {
            output.Add(result);
            return result;
        });
    }

    /// <summary><see cref="Report.Write"/>; the value is the path.</summary>
    public static Attempt WriteReport(string path, IReadOnlyList<IoTestResult> results, ReportOptions options) => Of(() =>
    {
        Report.Write(path, results, options);
        return path;
    });

    /// <summary><see cref="LooseObject.ToSpecification"/>.</summary>
    public static Attempt ToSpecification(object value) => Of(() => LooseObject.ToSpecification(value));

    /// <summary><see cref="LooseObject.ToResult"/>.</summary>
    public static Attempt ToResult(object value) => Of(() => LooseObject.ToResult(value));

    /// <summary><see cref="CommandLineReader.Read(string, string?)"/>.</summary>
    public static Attempt ReadCommandLine(string text, string folder) => Of(() => CommandLineReader.Read(text, folder));

    /// <summary><see cref="CommandLineReader.ReadFile"/>.</summary>
    public static Attempt ReadCommandFile(string path) => Of(() => CommandLineReader.ReadFile(path));

    /// <summary>A test on the targets of SQLIO's parameter file for each workload, or one with the defaults.</summary>
    public static Attempt ReadParameterFile(string path, IReadOnlyList<string>? workloads) => Of(() =>
    {
        var lines = SqlioParameterFile.ReadFile(path);
        var tests = workloads is { Count: > 0 } ? workloads.SelectMany(WorkloadCatalog.Resolve).ToList() : [new IoTestSpecification()];
        foreach (var test in tests)
            SqlioParameterFile.SetTargets(test, lines);
        return tests;
    });

    /// <summary><see cref="RuleSets.Find"/>.</summary>
    public static Attempt FindRuleSet(string nameOrFile) => Of(() => RuleSets.Find(nameOrFile));

    /// <summary><see cref="ResultComparer.CompareBy"/> by a flat property of the results.</summary>
    public static Attempt CompareBy(IReadOnlyList<IoTestResult> results, string property, string? baseline, ComparisonOptions options) => Of(() =>
    {
        var side = typeof(IoTestResult).GetProperty(property, BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase)
            ?? throw IoBenchException.Usage("IoBench.UnknownProperty", $"A result has no property '{property}'. Compare by Label, Path, ComputerName, Buffering or another column.", property);
        return ResultComparer.CompareBy(results, r => Convert.ToString(side.GetValue(r), CultureInfo.InvariantCulture), side.Name, baseline, options);
    });

    /// <summary><see cref="ResultComparer.Compare"/>.</summary>
    public static Attempt Compare(IReadOnlyList<IoTestResult> baseline, IReadOnlyList<IoTestResult> current, string? baselineLabel, string? label, ComparisonOptions options)
        => Of(() => ResultComparer.Compare(baseline, current, baselineLabel, label, options));

    /// <summary><see cref="SaturationAnalysis.Analyze"/>.</summary>
    public static Attempt Saturation(IEnumerable<IoTestResult> results) => Of(() => SaturationAnalysis.Analyze(results));

    /// <summary><see cref="CapPlan.Of"/>.</summary>
    public static Attempt PlanCap(IReadOnlyList<string> paths, IoPathMode mode, CapPlanOptions options, IoTestSpecification template)
        => Of(() => CapPlan.Of(paths, mode, options, template));

    /// <summary><see cref="CapFinder.Judge"/>.</summary>
    public static Attempt Cap(IEnumerable<IoTestResult> results, StorageSpecification? specification) => Of(() => CapFinder.Judge(results, specification));

    /// <summary>A <see cref="StorageSpecification"/> from text or from names and values.</summary>
    public static Attempt Storage(object value) => Of(() => value is IDictionary values
        ? StorageSpecification.Parse(values)
        : StorageSpecification.Parse(Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""));

    /// <summary><see cref="LimitSearch.Find"/>; each run that ended is added to <paramref name="probes"/>.</summary>
    public static Attempt Limit(IoTestSpecification specification, LatencyLimit limit, Func<IoTestSpecification, IoTestResult> run, LimitOptions options, IList<LimitProbe> probes)
    {
        try
        {
            return new Attempt(LimitSearch.Find(specification, limit, run, options, probes.Add), null);
        }
        // A stopped pipeline comes through the callback as PowerShell's own exception and must go on.
        catch (IoBenchException error)
        {
            return new Attempt(null, error);
        }
    }

    internal static Attempt Of(Func<object> call)
    {
        try
        {
            return new Attempt(call(), null);
        }
        // Nothing is swallowed: every caller turns Error into an error record.
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            return new Attempt(null, error);
        }
    }
}
