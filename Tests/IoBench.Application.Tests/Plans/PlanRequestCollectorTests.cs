using IoBench.Engine;

namespace IoBench.Application.Tests;

public class PlanRequestCollectorTests
{
    private readonly PlanRequestCollector _requests = new();

    [Fact]
    public void Paths_with_equal_settings_are_one_request()
    {
        _requests.Add(["a"], CreateValues());
        _requests.Add(["b"], CreateValues());
        _requests.Add(["c"], CreateValues(("BlockSize", "64KB")));
        Assert.Equal(["a b", "c"], _requests.All.Select(request => string.Join(' ', request.Paths)));
    }

    [Fact]
    public void Repeated_path_is_another_test()
    {
        _requests.Add(["a"], CreateValues());
        _requests.Add(["a"], CreateValues());
        Assert.Equal(2, _requests.Create(_ => { }).Tests.Count);
    }

    [Fact]
    public void Specification_keeps_its_own_path()
    {
        _requests.Add([], CreateValues(), [CreateTest("x")]);
        _requests.Add(["a"], CreateValues());
        _requests.Add([], CreateValues(), [CreateTest("y")]);
        Assert.Equal(["x", "a", "y"], _requests.Create(_ => { }).Tests.Select(test => test.Targets[0].Path));
    }

    [Fact]
    public void Successive_workloads_are_one_request()
    {
        _requests.AddWorkload(["a", "b"], CreateValues(), "log-commit");
        _requests.AddWorkload(["a", "b"], CreateValues(), "page-read");
        Assert.Equal(
            ["log-commit", "page-read", "log-commit", "page-read"],
            _requests.Create(_ => { }).Tests.Select(test => test.Workload)
        );
    }

    [Fact]
    public void Invalid_object_does_not_affect_the_others()
    {
        _requests.Add(["a"], CreateValues(("Workload", "nonsense")));
        _requests.Add(["b"], CreateValues());
        var errors = new List<string>();
        Assert.Equal("b", Assert.Single(_requests.Create(error => errors.Add(error.ErrorId)).Tests).Targets[0].Path);
        Assert.Equal(["IoBench.UnknownWorkload"], errors);
    }

    [Fact]
    public void Options_override_columns_and_unknown_columns_have_warnings()
    {
        var values = new OptionValues(OptionTables.RunAndColumns);
        values.Set("OutstandingIO", 5);
        foreach (
            var (name, value) in new (string, object?)[]
            {
                ("QD", "3"),
                ("blocksize", "64KB"),
                ("Label", " "),
                ("BlokSize", "8KB"),
                ("Force", "true"),
            }
        )
            values.SetColumn(name, value);
        Assert.Equal([5], values.GetList<int>(OptionNames.OutstandingIO));
        Assert.Equal([65536L], values.GetList<long>(OptionNames.BlockSize));
        Assert.False(values.Has(OptionNames.Label));
        Assert.False(values.Has(OptionNames.Force));
        Assert.Equal(
            [
                "IoBench ignores BlokSize, because a test has no setting with this name. Did you mean BlockSize?",
                "IoBench ignores Force, because a test has no setting with this name.",
            ],
            values.Warnings.Select(warning => warning.Text.ToString())
        );
    }

    [Fact]
    public void Columns_that_the_command_does_not_use_have_warnings()
    {
        var rows = OptionTables.LimitTest;
        var values = new OptionValues(rows) { Columns = OptionTables.GetColumns(rows) };
        foreach (var (name, value) in new (string, object?)[] { ("QD", "3"), ("Repeat", "3"), ("TargetIops", ""), ("Force", "true") })
            values.SetColumn(name, value);
        Assert.Equal([3], values.GetList<int>(OptionNames.OutstandingIO));
        Assert.False(values.Has(OptionNames.Force));
        Assert.Equal(
            [
                "IoBench ignores Repeat, because this command does not accept this option as a table column.",
                "IoBench ignores Force, because a test has no setting with this name.",
            ],
            values.Warnings.Select(warning => warning.Text.ToString())
        );
        // The command takes one value where the column of a suite can have a list.
        Assert.Equal("IoBench.OneValue", Assert.Throws<IoBenchException>(() => values.SetColumn("BlockSize", "8KB,64KB")).ErrorId);
    }

    [Theory]
    [InlineData("x.dat", "/here/x.dat")]
    [InlineData("data/a:b", "/here/data/a:b")]
    [InlineData("/x.dat", "/x.dat")]
    [InlineData(@"C:\x.dat", @"C:\x.dat")]
    [InlineData("#1", "#1")]
    public void Relative_target_is_resolved_from_the_current_folder(string path, string full) =>
        Assert.Equal(full, LegacyToolTests.MakePathsAbsolute(CreateTest(path), name => "/here/" + name).Targets[0].Path);

    [Fact]
    public void Invalid_command_line_throws() =>
        Assert.Equal(
            "IoBench.InvalidCommandLine",
            Assert.Throws<IoBenchException>(() => LegacyToolTests.FromCommandLines(["sqlio -kX"], path => path)).ErrorId
        );

    [Fact]
    public void Missing_file_of_a_command_line_requires_a_size()
    {
        var missing = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
        var test = CreateTest(missing);
        Assert.Equal("IoBench.FileNotFound", LegacyToolTests.FindTargetError([test])!.ErrorId);
        test.FileSize = 1 << 20;
        Assert.Null(LegacyToolTests.FindTargetError([test]));
        test.FileSize = null;
        test.Backend = NullBackend.Name;
        Assert.Null(LegacyToolTests.FindTargetError([test]));
    }

    private static OptionValues CreateValues(params (string Name, object Value)[] settings)
    {
        var values = new OptionValues(OptionTables.RunAndColumns);
        foreach (var (name, value) in settings)
            values.Set(name, value);
        return values;
    }

    private static IoTestSpecification CreateTest(string path) => new() { Targets = [new IoTargetSpecification(path)] };
}
