namespace IoBench.Application.Tests;

public class NamePatternTests
{
    [Theory]
    [InlineData("sql1", "SQL1", true)]
    [InlineData("sql1", "SQL10", false)]
    [InlineData("sql?", "SQL1", true)]
    [InlineData("sql?", "SQL", false)]
    [InlineData("*", null, true)]
    [InlineData("", null, true)]
    [InlineData("a", null, false)]
    [InlineData("s*1", "SQL-1-1", true)]
    [InlineData("s*1*2", "SQL-1-1", false)]
    [InlineData("sql[12]", "SQL2", true)]
    [InlineData("SQL[a-C]", "sqlB", true)]
    [InlineData("sql[12]", "SQL3", false)]
    [InlineData("sql[1-", "sql[1-", true)]
    [InlineData("mix[8KB]", "mix[8KB]", true)]
    [InlineData("mix`[8*", "mix[8KB]", true)]
    [InlineData("a`*", "ab", false)]
    [InlineData("a\\*", "a\\b", true)]
    public void Name_pattern_matches_PowerShell_wildcards(string pattern, string? name, bool expected) =>
        Assert.Equal(expected, new WildcardMatcher(pattern).Matches(name));
}
