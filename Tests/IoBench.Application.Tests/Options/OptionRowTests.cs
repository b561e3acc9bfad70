using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class OptionRowTests
{
    public static TheoryData<string> GetNames() => [.. OptionTables.All.Select(row => row.Name)];

    /// <summary>Options whose values can be wrong: every text is a text or a path.</summary>
    public static TheoryData<string> NamesWithKind() =>
        [
            .. OptionTables
                .All.Where(row => row.Kind != OptionKind.Text && row.Kind != OptionKind.Path && row.Kind != OptionKind.PathOrEndpoint)
                .Select(row => row.Name),
        ];

    public static TheoryData<string> GetTestOptionNames() => [.. OptionTables.Columns.Where(row => row.IsOfTest).Select(row => row.Name)];

    private static readonly Dictionary<string, object[]> s_samples = new()
    {
        ["size"] = ["64KB", new IoSize(65536), 65536, 65536L, 65536.0],
        ["duration"] = ["90s", new IoDuration(90), TimeSpan.FromSeconds(90), 90, 90.0, "00:01:30"],
        ["integer"] = ["7", 7, 7L, 7.0],
        ["integer or Auto"] = ["7", 7],
        ["sizes and shares"] = ["8KB:60,64KB:40", "8K:60 64K", IoBlockMix.Parse("8K:60%,64K:40")],
        ["number of times"] = ["2x", "2X", "2", 2, 2.0],
        ["number"] = ["7.5", 7.5],
        ["milliseconds"] = ["7500", 7500.0, "7500ms", "7.5s"],
        ["rate"] = ["200MB/s", IoRate.FromBytesPerSecond(200e6)],
        ["flag"] = ["true", true],
        ["text"] = ["x"],
        ["day"] = ["2026-01-31", "31 Jan 2026", new DateTime(2026, 1, 31)],
        ["path"] = ["/x/y"],
        ["name or path"] = ["zero", "ZERO"],
        ["processors"] = ["0-2", new[] { 0, 1, 2 }],
        ["distribution"] = ["90/10", new IoDistributionRange(90, 10)],
    };

    [Theory]
    [MemberData(nameof(GetNames))]
    public void Option_row_is_complete(string name)
    {
        var row = OptionTables.Find(name)!;
        Assert.Matches("^[A-Z][A-Za-z]+$", row.Name);
        Assert.EndsWith(".", row.Help, StringComparison.Ordinal);
        Assert.True(row.Kind == OptionKind.Flag || row.ValueName.Length > 0);
        Assert.StartsWith("--", row.ProgramName, StringComparison.Ordinal);
        // The help of an option lists its allowed values in the CLI spelling.
        if (row.Name != "WriteContent")
            Assert.All(row.Kind.Allowed, allowed => Assert.Contains(allowed, row.Help, StringComparison.OrdinalIgnoreCase));
        if (row.Kind.Allowed.Count > 0 && row.Default is { } one && !one.Contains(' ', StringComparison.Ordinal))
            Assert.Contains(row.Kind.Allowed, allowed => allowed.Equals(one, StringComparison.OrdinalIgnoreCase));
    }

    [Fact]
    public void Options_of_a_command_have_unique_names()
    {
        IReadOnlyList<OptionRow>[] tables =
        [
            [
                .. OptionTables.Run.Except(OptionTables.Output),
                .. OptionTables.Output,
                .. OptionTables.Expectations,
                .. OptionTables.Shown,
                .. OptionTables.Member,
            ],
            OptionTables.Run,
            OptionTables.Columns,
            OptionTables.Specification,
            [.. OptionTables.LimitSearch, .. OptionTables.LimitTest],
            OptionTables.Cap,
        ];
        foreach (var table in tables)
        {
            Assert.Distinct(table.SelectMany(row => row.Names), StringComparer.OrdinalIgnoreCase);
            Assert.Distinct(table.SelectMany(row => row.ProgramAliases.Append(row.ProgramName)));
        }
    }

    [Theory]
    [MemberData(nameof(GetNames))]
    public void Option_text_and_typed_values_are_parsed_to_the_same_value(string name)
    {
        var row = OptionTables.Find(name)!;
        var samples = GetSampleValues(row);
        var first = row.Kind.ParseValue(samples[0]);
        Assert.All(samples, sample => Assert.Equal(row.Kind.FormatValue(first), row.Kind.FormatValue(row.Kind.ParseValue(sample))));
        // A formatted value is parsed to the same value, because a plan can be written to a file.
        Assert.Equal(row.Kind.FormatValue(first), row.Kind.FormatValue(row.Kind.ParseValue(row.Kind.FormatValue(first))));
    }

    [Fact]
    public void Pool_accepts_the_maximum_of_outstanding_IOs()
    {
        var values = new OptionValues(OptionTables.Columns);
        values.Set("PoolOutstandingIO", SpecificationValidator.MaxPoolOutstanding);
        Assert.Equal(
            "IoBench.InvalidOutstanding",
            Assert.Throws<IoBenchException>(() => values.Set("PoolOutstandingIO", SpecificationValidator.MaxPoolOutstanding + 1)).ErrorId
        );
    }

    [Theory]
    [MemberData(nameof(GetNames))]
    public void Blank_value_means_that_the_option_is_not_set(string name)
    {
        var values = new OptionValues(OptionTables.All);
        foreach (var blank in new object?[] { null, "", "  ", DBNull.Value, Array.Empty<string>(), new[] { "" } })
            values.Set(name, blank);
        Assert.False(values.Has(new OptionName(name)));
    }

    [Theory]
    [MemberData(nameof(NamesWithKind))]
    public void Invalid_value_throws_with_the_option_name(string name)
    {
        var row = OptionTables.Find(name)!;
        var error = Assert.Throws<IoBenchException>(() => new OptionValues(OptionTables.All).Set(name, "no such value"));
        Assert.Equal([name], error.Options);
        Assert.StartsWith($"{row.ProgramName}: ", error.Text.Render(CliSpelling.Default), StringComparison.Ordinal);
        Assert.StartsWith($"-{name}: ", error.Text.Render(PowerShellSpelling.Default), StringComparison.Ordinal);
        Assert.StartsWith($"{name}: ", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(GetTestOptionNames))]
    public void Test_option_changes_the_test(string name)
    {
        var row = OptionTables.Columns.Single(r => r.Name == name);
        var request = new PlanRequest { Paths = ["t.dat"] };
        foreach (var (other, value) in GetRequiredOptions(name))
            request.Set(other, value);
        var before = TestPlanner.Create(request).Tests;
        request.Set(name, name is "AccessPattern" ? "interlocked" : GetSampleValues(row)[0]);
        var after = TestPlanner.Create(request).Tests;
        // The seed is not part of the identity of a test.
        if (name is "Seed")
            Assert.Equal(after[0].SeedBase, TestPlanner.Create(request).Tests[0].SeedBase);
        else
            Assert.NotEqual(Serialize(Assert.Single(before)), Serialize(Assert.Single(after)));
        Assert.True(request.Has(new OptionName(name)));
    }

    public static TheoryData<string, double, string> GetOutOfRangeValues()
    {
        var data = new TheoryData<string, double, string>();
        foreach (var row in OptionTables.All)
            if (row.Range is { } range)
                foreach (var number in new[] { range.Min - (range.Min > 0 ? range.Min / 2 : 1), range.Max * 2 })
                    data.Add(row.Name, row.Kind.Type == typeof(double) ? number : Math.Ceiling(number - 1), row.ProgramName);
        return data;
    }

    /// <summary>A cmdlet parameter rejects the value before anything is read, and a command line must do the same.</summary>
    [Theory]
    [MemberData(nameof(GetOutOfRangeValues))]
    public void Out_of_range_number_throws(string name, double number, string spelled)
    {
        var error = Assert.Throws<IoBenchException>(() =>
            new OptionValues(OptionTables.All).Set(name, number.ToString(CultureInfo.InvariantCulture))
        );
        Assert.Equal([name], error.Options);
        Assert.StartsWith(spelled, error.Text.Render(CliSpelling.Default), StringComparison.Ordinal);
    }

    /// <summary>Options for which 0 means "not set" in a specification, but which need a value above 0 as an option.</summary>
    private static readonly string[] s_zeroMeansNone = ["BurstSize", "FlushEvery"];

    public static TheoryData<string, double> GetOutOfRangeTestValues()
    {
        var data = new TheoryData<string, double>();
        foreach (var (name, number) in GetOutOfRangeValues().Select(values => ((string)values[0], (double)values[1])))
        {
            var row = OptionTables.Find(name)!;
            // A whole number that does not fit into the property cannot occur in a specification.
            if (row.IsOfTest && (row.Kind.Type == typeof(double) || number <= int.MaxValue))
                data.Add(name, number == 0 && s_zeroMeansNone.Contains(name) ? -1 : number);
        }
        return data;
    }

    /// <summary>A specification from a file gets the same error id as an option, because scripts compare ids.</summary>
    [Theory]
    [MemberData(nameof(GetOutOfRangeTestValues))]
    public void Out_of_range_specification_throws_with_the_same_id(string name, double number)
    {
        var row = OptionTables.Find(name)!;
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("t.dat")],
            BlockSize = 8192,
            WritePercent = 50,
        };
        foreach (var (other, value) in GetRequiredOptions(name))
            OptionTables.Find(other)!.Apply(test, OptionTables.Find(other)!.Kind.ParseValue(value));
        row.Apply(test, row.Kind.Type == typeof(double) ? number : (object)(int)number);
        var ready = Assert.Single(JsonResultSerializer.DeserializePlan(JsonResultSerializer.SerializePlan([test]), "plan.json"));
        Assert.Equal(row.RangeErrorId, Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(ready)).ErrorId);
    }

    [Fact]
    public void Zero_in_a_column_that_means_none_is_accepted()
    {
        var values = new OptionValues(OptionTables.Columns);
        values.SetColumn("FlushEvery", 0);
        values.SetColumn("BurstSize", 0);
        Assert.Equal(0, Assert.Single(TestPlanner.Create(new PlanRequest(["t.dat"], values)).Tests).FlushEvery);
    }

    [Fact]
    public void Write_content_size_requires_a_content_file_in_any_order()
    {
        var file = typeof(OptionRowTests).Assembly.Location;
        var request = new PlanRequest { Paths = ["t.dat"] };
        request.Set("WriteContentSize", "64KB");
        request.Set("WriteContent", file);
        var test = Assert.Single(TestPlanner.Create(request).Tests);
        Assert.Equal((IoWriteContentKind.File, file, 65536L), (test.WriteContent, test.WriteContentFile, test.WriteContentSize));

        request.Set("WriteContent", "random");
        var error = Assert.Throws<IoBenchException>(() => TestPlanner.Create(request));
        Assert.Equal("IoBench.ConflictingOptions", error.ErrorId);
        Assert.Equal(["WriteContentSize", "WriteContent"], error.Options);
    }

    private static (string Name, object Value)[] GetRequiredOptions(string name) =>
        name switch
        {
            "ThinkTime" => [("BurstSize", 4)],
            "PoolOutstandingIO" => [("SharedThreadPool", true)],
            "ReadOutstanding" or "WriteOutstanding" => [("ReadOutstanding", 3), ("WriteOutstanding", 2)],
            "CompressiblePercent" or "DedupablePercent" => [("WritePercent", 100)],
            "ParallelSameOffset" or "ThreadStride" => [("AccessPattern", "sequential")],
            "StripeColumns" or "StripeRows" => [("AccessPattern", "stride")],
            "BaseOffset" => [("MaxOffset", "1GB")],
            "WriteContentSize" => [("WriteContent", typeof(OptionRowTests).Assembly.Location)],
            _ => [],
        };

    [Fact]
    public void Unknown_setting_has_a_warning_with_a_suggestion()
    {
        var values = new OptionValues(OptionTables.Columns);
        Assert.False(values.Set("BlokSize", "8KB"));
        Assert.True(values.Set("queuedepth", "8"));
        Assert.False(values.Set("BlokSize", "64KB"));
        var warning = Assert.Single(values.Warnings);
        Assert.Equal(OptionValues.UnknownCode, warning.Code);
        Assert.Equal("IoBench ignores BlokSize, because a test has no setting with this name. Did you mean BlockSize?", warning.ToString());
        Assert.Equal([8], values.GetList<int>(OptionNames.OutstandingIO));
    }

    [Fact]
    public void Several_values_for_a_single_value_option_throw()
    {
        var error = Assert.Throws<IoBenchException>(() => new OptionValues(OptionTables.Run).Set("Duration", "10,20"));
        Assert.Equal("Duration: 2 values were specified. Specify only one value.", error.Message);
    }

    private static object[] GetSampleValues(OptionRow row) =>
        row.Kind.Name == "name" ? [row.Kind.Allowed[^1], row.Kind.Allowed[^1].ToUpperInvariant()] : s_samples[row.Kind.Name];

    private static string Serialize(IoTestSpecification test) => ResumePlan.GetTestKey(test) + test.StorageCacheSize + test.RestBefore;
}
