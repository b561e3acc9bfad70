using IoBench.Engine;

namespace IoBench.Application.Tests;

public class PlanRequestsTests
{
    private readonly PlanRequests _requests = new();

    [Fact]
    public void Places_with_equal_settings_are_one_request()
    {
        _requests.Add(["a"], Values());
        _requests.Add(["b"], Values());
        _requests.Add(["c"], Values(("BlockSize", "64KB")));
        Assert.Equal(["a b", "c"], _requests.All.Select(request => string.Join(' ', request.Paths)));
    }

    [Fact]
    public void A_place_that_comes_again_is_a_test_again()
    {
        _requests.Add(["a"], Values());
        _requests.Add(["a"], Values());
        Assert.Equal(2, _requests.Create(_ => { }).Tests.Count);
    }

    [Fact]
    public void A_test_is_not_moved_to_a_place_that_came_beside_it()
    {
        _requests.Add([], Values(), [TestOn("x")]);
        _requests.Add(["a"], Values());
        _requests.Add([], Values(), [TestOn("y")]);
        Assert.Equal(["x", "a", "y"], _requests.Create(_ => { }).Tests.Select(test => test.Targets[0].Path));
    }

    [Fact]
    public void Workloads_that_follow_one_another_are_one_request()
    {
        _requests.AddWorkload(["a", "b"], Values(), "log-commit");
        _requests.AddWorkload(["a", "b"], Values(), "page-read");
        Assert.Equal(
            ["log-commit", "page-read", "log-commit", "page-read"],
            _requests.Create(_ => { }).Tests.Select(test => test.Workload)
        );
    }

    [Fact]
    public void A_wrong_object_costs_only_itself()
    {
        _requests.Add(["a"], Values(("Workload", "nonsense")));
        _requests.Add(["b"], Values());
        var errors = new List<string>();
        Assert.Equal("b", Assert.Single(_requests.Create(error => errors.Add(error.ErrorId)).Tests).Targets[0].Path);
        Assert.Equal(["IoBench.UnknownWorkload"], errors);
    }

    [Fact]
    public void A_column_yields_to_what_was_given_by_hand_and_an_unknown_one_is_a_warning_with_the_nearest_name()
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
        Assert.Equal([5], values.List<int>(Opt.OutstandingIO));
        Assert.Equal([65536L], values.List<long>(Opt.BlockSize));
        Assert.False(values.Has(Opt.Label));
        Assert.False(values.Has(Opt.Force));
        Assert.Equal(
            [
                "BlokSize is not a setting of a test and is left out: did you mean BlockSize?",
                "Force is not a setting of a test and is left out.",
            ],
            values.Warnings.Select(warning => warning.Text.ToString())
        );
    }

    [Fact]
    public void A_command_takes_only_its_own_settings_from_columns_and_says_what_it_leaves_out()
    {
        var rows = OptionTables.LimitTest;
        var values = new OptionValues(rows) { Columns = OptionTables.ColumnsOf(rows) };
        foreach (var (name, value) in new (string, object?)[] { ("QD", "3"), ("Repeat", "3"), ("TargetIops", ""), ("Force", "true") })
            values.SetColumn(name, value);
        Assert.Equal([3], values.List<int>(Opt.OutstandingIO));
        Assert.False(values.Has(Opt.Force));
        Assert.Equal(
            ["Repeat is not taken from a table by this command and is left out.", "Force is not a setting of a test and is left out."],
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
    public void Relative_targets_begin_where_the_user_is(string path, string full) =>
        Assert.Equal(full, TestSources.MakeFull(TestOn(path), new OptionContext { FullPath = name => "/here/" + name }).Targets[0].Path);

    [Fact]
    public void A_command_line_that_is_refused_ends_all() =>
        Assert.Equal(
            "IoBench.InvalidCommandLine",
            Assert.Throws<IoBenchException>(() => TestSources.FromCommandLines(["sqlio -kX"], OptionContext.Process)).ErrorId
        );

    [Fact]
    public void A_file_of_a_command_line_is_made_only_with_a_size()
    {
        var missing = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"));
        var test = TestOn(missing);
        Assert.Equal("IoBench.FileNotFound", OldToolTargets.Refusal([test])!.ErrorId);
        test.FileSize = 1 << 20;
        Assert.Null(OldToolTargets.Refusal([test]));
        test.FileSize = null;
        test.Backend = NullBackend.Name;
        Assert.Null(OldToolTargets.Refusal([test]));
    }

    private static OptionValues Values(params (string Name, object Value)[] settings)
    {
        var values = new OptionValues(OptionTables.RunAndColumns);
        foreach (var (name, value) in settings)
            values.Set(name, value);
        return values;
    }

    private static IoTestSpecification TestOn(string path) => new() { Targets = [new IoTargetSpecification(path)] };
}
