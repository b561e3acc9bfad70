using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetInventoryTests
{
    private const string Csv =
        "name,address,transport,path,size,rate,workload,array\nsql1,10.0.0.1,ssh,T:\\,20GB,5000,oltp,SAN1\n\"sql2\",,local,/data,,,,SAN2\n";
    private const string Json =
        """[{"name":"sql1","address":"10.0.0.1","transport":"ssh","path":"T:\\","size":"20GB","rate":5000,"workload":"oltp","tags":{"array":"SAN1"}},{"name":"sql2","transport":"local","path":"/data","array":"SAN2"}]""";

    internal static IReadOnlyList<string> Examples =>
        [Csv, Json, Ini.Replace(" ; no comment here", "", StringComparison.Ordinal), AnsibleList];

    private const string Ini = """
        # the estate
        [san1]
        sql1 ansible_host=10.0.0.1 iobench_path='T:\' iobench_size=20GB iobench_rate=5000 iobench_workload=oltp
        [san1:vars]
        array=SAN1
        [linux]
        sql2 ansible_connection=local iobench_path=/data ; no comment here
        """;

    /// <summary>Output of ansible-inventory --list of ansible-core 2.14.</summary>
    private const string AnsibleList = """
        {
            "_meta": {
                "hostvars": {
                    "sql1": {
                        "ansible_host": "10.0.0.1",
                        "array": "SAN1",
                        "iobench_path": "T:\\",
                        "iobench_rate": 5000,
                        "iobench_size": "20GB",
                        "iobench_workload": "oltp",
                        "sa_password": "secret"
                    },
                    "sql2": { "ansible_connection": "local", "array": "SAN2", "iobench_path": "/data" }
                }
            },
            "all": { "children": ["linux", "san1", "ungrouped"] },
            "linux": { "hosts": ["sql2"] },
            "san1": { "hosts": ["sql1", "sql2"] },
            "ungrouped": { "hosts": ["sql3"] }
        }
        """;

    [Theory]
    [InlineData("hosts.csv", Csv)]
    [InlineData("hosts.json", Json)]
    public void Inventory_table_contains_all_host_properties(string name, string text) => AssertHosts(FleetInventory.Parse(text, name));

    [Fact]
    public void Ansible_INI_inventory_contains_all_host_properties()
    {
        var text = Ini.Replace(" ; no comment here", "", StringComparison.Ordinal)
            .Replace("[linux]", "[linux]\n[linux:vars]\narray=SAN2\n[linux]", StringComparison.Ordinal);
        AssertHosts(FleetInventory.Parse(text, "hosts.ini"));
        AssertHosts(FleetInventory.Parse(text, "hosts"));
        Assert.Equal("san1", FleetInventory.Parse(text, "hosts")[0].Tags["group"]);
    }

    [Fact]
    public void Output_of_ansible_inventory_contains_all_host_properties()
    {
        var hosts = FleetInventory.Parse(AnsibleList, "hosts.json").OrderBy(host => host.Name).ToList();
        AssertHosts(hosts[..2]);
        Assert.Equal(("sql3", 0), (hosts[2].Name, hosts[2].Tags.Count));
        Assert.Equal(["array", "group"], hosts[0].Tags.Keys.Order());
        Assert.Equal(["san1", "linux"], hosts[..2].Select(host => host.Tags["group"]));
    }

    [Theory]
    [InlineData("hosts.yml")]
    [InlineData("hosts")]
    public void YAML_inventory_is_refused_with_the_command_that_converts_it(string name) =>
        Assert.Contains(
            $"Run ansible-inventory -i {name} --list > hosts.json, and use hosts.json",
            Assert.Throws<IoBenchException>(() => FleetInventory.Parse("---\nall:\n  hosts:\n    sql1:\n", name)).Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("sql1 iobench_array=SAN1 array=SAN2\n")]
    [InlineData("sql1 array=SAN2 iobench_array=SAN1\n")]
    public void Variable_of_IoBench_overrides_the_variable_without_prefix(string text) =>
        Assert.Equal("SAN1", Assert.Single(FleetInventory.Parse(text, "hosts.ini")).Tags["array"]);

    [Theory]
    [InlineData("''\n")]
    [InlineData("sql1\n\"\"  \n")]
    public void Ansible_INI_line_with_only_quotes_is_refused(string text)
    {
        var error = Assert.Throws<IoBenchException>(() => FleetInventory.Parse(text, "hosts.ini"));
        Assert.Equal("IoBench.Inventory", error.ErrorId);
        Assert.Contains("the host has no name", error.Message, StringComparison.Ordinal);
    }

    private static void AssertHosts(IReadOnlyList<FleetHost> hosts)
    {
        Assert.Equal(["sql1", "sql2"], hosts.Select(host => host.Name));
        Assert.Equal(
            ("10.0.0.1", false, @"T:\", "20GB", "5000", "oltp", "SAN1"),
            (hosts[0].Address, hosts[0].IsLocal, hosts[0].Path, hosts[0].Size, hosts[0].Rate, hosts[0].Workload, hosts[0].Tags["array"])
        );
        Assert.Equal(
            (null, true, "/data", null, "SAN2"),
            (hosts[1].Address, hosts[1].IsLocal, hosts[1].Path, hosts[1].Rate, hosts[1].Tags["array"])
        );
    }

    [Fact]
    public void Ansible_ranges_and_child_groups_are_expanded()
    {
        var hosts = FleetInventory.Parse("[rack]\nsql[08:11].example.com\n[site:children]\nrack\n[site:vars]\nansible_user=dba\n", "x.ini");
        Assert.Equal(["sql08.example.com", "sql09.example.com", "sql10.example.com", "sql11.example.com"], hosts.Select(host => host.Name));
        Assert.All(hosts, host => Assert.Equal("dba", host.User));
        Assert.Equal([true, false], FleetInventory.Read("localhost, sql2").Select(host => host.IsLocal));
    }

    [Theory]
    [InlineData("h.csv", "address\n10.0.0.1\n", "line 1: the column 'name' is missing")]
    [InlineData("h.csv", "name\nsql1\nSQL1\n", "appears 2 times")]
    [InlineData("h.csv", "name,port\nsql1,many\n", "line 2: 'many' is not a valid port")]
    [InlineData("h.csv", "name\n\"sql1\n", "line 2: a closing quotation mark is missing, or a value is too long")]
    [InlineData("h.csv", "name,transport\nsql1,telnet\n", "the transport must be ssh or local, not 'telnet'")]
    [InlineData("h.csv", "name\n-oProxyCommand=x\n", "is not a valid host name")]
    [InlineData("h.csv", "name,address\nsql1,-oProxyCommand=x\n", "is not a valid address")]
    [InlineData("h.csv", "name,address,path\na,10.0.0.1,/d\nb,10.0.0.1,/d\n", "a and b are the same computer and test the same file")]
    [InlineData("h.csv", "name\n", "the inventory contains no hosts")]
    [InlineData("h.json", "{", "is not JSON")]
    [InlineData("h.json", "[{\"address\":\"x\"}]", "a host has no name")]
    [InlineData("h.ini", "[a:b:c]\nx\n", "is not a valid section")]
    [InlineData("h.ini", "x y\n", "is not in the form name=value")]
    [InlineData("h.ini", "a\nx[1:9][1:99][1:999][1:9999]\n", "line 2: an inventory can have at most 10,000 hosts")]
    [InlineData("h.ini", "x[0:10000]\n", "line 1: an inventory can have at most 10,000 hosts")]
    [InlineData("h.ini", "x[1:9000]\ny[1:9000]\n", "line 2: an inventory can have at most 10,000 hosts")]
    [InlineData("h.ini", "x[9:1]\n", "line 1: 'x[9:1]' is not a valid range, because 1 is less than 9")]
    [InlineData("h.ini", "[a{{ 7*7 }}]\nx\n", "line 1: 'a{{ 7*7 }}' is not a valid group name")]
    [InlineData("h.ini", "[a:children]\n-b\n", "line 2: '-b' is not a valid group name")]
    [InlineData("h.ini", "[a]\nx\n[a:vars]\nansible_user=a;b\n", "line 2: 'a;b' is not a valid user name")]
    [InlineData(
        "h.json",
        "{\"_meta\":{},\"a b\":{\"hosts\":[\"{{lookup('pipe','id')}}\"]}}",
        "host 1: '{{lookup('pipe','id')}}' is not a valid host name"
    )]
    [InlineData(
        "h.json",
        "{\"_meta\":{},\"all\":{\"vars\":{}}}",
        "all has its own variables, which IoBench does not read. Run ansible-inventory --list without --export"
    )]
    [InlineData("h.json", "{\"_meta\":1,\"all\":{\"hosts\":1}}", "the inventory contains no hosts")]
    [InlineData("h.csv", "name\nsql1\n\"{{lookup('pipe','id')}}\"\n", "line 3: '{{lookup('pipe','id')}}' is not a valid host name")]
    [InlineData("h.csv", "name\nAll\n", "line 2: 'All' is a reserved name in Ansible. Use another name for the host")]
    [InlineData("h.csv", "name,path\nsql1,/d/{{ x }}\n", "line 2: the path '/d/{{ x }}' contains {{")]
    [InlineData("h.csv", "name,program\nsql1,-x\n", "line 2: the path '-x' starts with -")]
    [InlineData("h.json", "[\"sql1\",\"*\"]", "h.json, host 2: '*' is not a valid host name")]
    [InlineData("h.json", "[{\"name\":\"sql1\",\"path\":\"/d\\u001b\"}]", "host 1: the path '/d\\e' contains a control character")]
    public void Inventory_error_names_the_line(string name, string text, string words)
    {
        var error = Assert.Throws<IoBenchException>(() => FleetInventory.Parse(text, name));
        Assert.Equal(FleetErrorIds.Inventory, error.ErrorId);
        Assert.Contains(words, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("sql1,*", "inventory, host 2: '*' is not a valid host name")]
    [InlineData("all", "'all' is a reserved name in Ansible. Use another name for the host")]
    [InlineData("$(id)", "'$(id)' is not a valid host name")]
    public void Names_of_a_command_line_follow_the_same_grammar(string names, string words) =>
        Assert.Contains(words, Assert.Throws<IoBenchException>(() => FleetInventory.Read(names)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("sql1")]
    [InlineData("SQL_1.example.com.")]
    [InlineData("10.0.0.1")]
    [InlineData("[fe80::1]")]
    [InlineData("[fe80::1%eth0]")]
    public void Host_name_can_be_a_DNS_name_or_an_address(string name) => Assert.Null(InventoryNames.FindHostError(name));

    [Theory]
    [InlineData("")]
    [InlineData("-x")]
    [InlineData(".x")]
    [InlineData("a..b")]
    [InlineData("a b")]
    [InlineData("a\n")]
    [InlineData("*")]
    [InlineData("ALL")]
    [InlineData("ungrouped")]
    [InlineData("!a")]
    [InlineData("a:b")]
    [InlineData("a,b")]
    [InlineData("~a")]
    [InlineData("a[1]")]
    [InlineData("[fe80::1")]
    [InlineData("[a]")]
    [InlineData("fe80::1")]
    [InlineData("a\u001b[2J")]
    [InlineData("\u0455ql1")]
    public void Host_name_with_another_character_is_refused(string name) => Assert.NotNull(InventoryNames.FindHostError(name));

    [Theory]
    [InlineData("dba", true)]
    [InlineData("CORP\\dba", true)]
    [InlineData("dba@corp.example", true)]
    [InlineData("-dba", false)]
    [InlineData("dba;id", false)]
    [InlineData("$(id)", false)]
    [InlineData("a@b@c", false)]
    public void User_name_has_only_letters_digits_and_a_domain(string user, bool isValid) =>
        Assert.Equal(isValid, InventoryNames.FindUserError(user) is null);

    [Theory]
    [InlineData("/data/a b (1).dat", true)]
    [InlineData(@"T:\data", true)]
    [InlineData("/d/{x}", true)]
    [InlineData("/d/{{x", false)]
    [InlineData("/d/{%x", false)]
    [InlineData("/d/{#x", false)]
    [InlineData("-rf", false)]
    [InlineData("/d\n", false)]
    public void Path_has_no_control_character_and_no_template(string path, bool isValid) =>
        Assert.Equal(isValid, InventoryNames.FindPathError(path) is null);

    [Fact]
    public void Path_of_a_command_line_follows_the_same_grammar()
    {
        var hosts = FleetInventory.FromNames(["sql1"]);
        Assert.Equal(
            "IoBench.InvalidPath",
            Assert.Throws<IoBenchException>(() => FleetPlan.Create(hosts, "/d/{{ x }}", () => new PlanRequest())).ErrorId
        );
    }

    [Fact]
    public void IPv6_address_of_a_connection_has_no_brackets()
    {
        var host = FleetInventory.Parse("name,address,port\na,fe80::1,22\n", "h.csv")[0];
        Assert.Equal("fe80::1", host.ConnectionName);
        Assert.Equal("fe80::1", FleetInventory.FromNames(["[fe80::1]"])[0].ConnectionName);
    }

    [Fact]
    public void Ranges_of_a_host_are_multiplied()
    {
        Assert.Equal(
            ["x1-08.y", "x1-09.y", "x1-10.y", "x2-08.y", "x2-09.y", "x2-10.y"],
            FleetInventory.Parse("x[1:2]-[08:10].y\n", "h.ini").Select(host => host.Name)
        );
        Assert.Equal(10_000, FleetInventory.Parse("x[1:100]-[1:100]\n", "h.ini").Count);
    }

    [Theory]
    [InlineData("h.csv", "name\n", "h{0}\n", "")]
    [InlineData("h.json", "[", "\"h{0}\",", "]")]
    public void Number_of_hosts_is_limited(string file, string begin, string host, string end)
    {
        var text =
            begin + string.Concat(Enumerable.Range(1, 10_001).Select(n => host.Replace("{0}", $"{n}", StringComparison.Ordinal))) + end;
        Assert.Contains(
            "an inventory can have at most 10,000 hosts",
            Assert.Throws<IoBenchException>(() => FleetInventory.Parse(text, file)).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Missing_inventory_file_is_not_a_host_name() =>
        Assert.Contains(
            "does not exist",
            Assert.Throws<IoBenchException>(() => FleetInventory.Read("no-such.csv")).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Host_settings_override_the_settings_of_the_command()
    {
        var hosts = FleetInventory.Parse(Csv, "h.csv");
        var plan = FleetPlan.Create(hosts, null, () => new PlanRequest().Set("Duration", "10").Set("FileSize", "1GB"));
        var (first, second) = (plan.Work[0].Tests.Single(), plan.Work[1].Tests.Single());
        Assert.Equal((@"T:\", "oltp", 20L << 30, (double?)5000), (first.Targets[0].Path, first.Workload, first.FileSize, first.TargetIops));
        Assert.Equal(("/data", null, 1L << 30), (second.Targets[0].Path, second.Workload, second.FileSize));
        Assert.StartsWith(
            "2 hosts, 2 arrays, 1 test each, with writes, test files of 21 GB in total",
            plan.ToString(),
            StringComparison.Ordinal
        );
        Assert.Equal(
            "IoBench.NoPath",
            Assert
                .Throws<IoBenchException>(() => FleetPlan.Create(FleetInventory.FromNames(["sql9"]), null, () => new PlanRequest()))
                .ErrorId
        );
    }

    [Fact]
    public void Member_command_is_quoted_for_the_remote_shell()
    {
        var host = new FleetHost
        {
            Name = "it's; rm",
            Address = "10.0.0.1",
            Port = 2222,
            User = "dba",
        };
        var (file, arguments) = ProcessConnection.CreateCommand(host, "g", "/opt/io bench", null);
        Assert.Equal("ssh", file);
        Assert.Equal(
            [
                "-p",
                "2222",
                "-l",
                "dba",
                "--",
                "10.0.0.1",
                @"'/opt/io bench' run --specification - --start-at line --group g --member 'it'\''s; rm'",
            ],
            arguments.Skip(9)
        );
        Assert.Equal(
            ("iobench", 9),
            ProcessConnection.CreateCommand(host with { IsLocal = true }, "g", "iobench", null) is var local
                ? (local.File, local.Arguments.Count)
                : default
        );
    }

    [Theory]
    [InlineData("sum iops > 300000", true)]
    [InlineData("Sum IOPS >= 310000", true)]
    [InlineData("sum iops > 310000", false)]
    [InlineData("p99 < 5ms", false)]
    [InlineData("hosts >= 2", true)]
    public void Fleet_requirements_are_met_or_not(string text, bool isKept)
    {
        var group = new FleetGroup
        {
            GroupId = "g/1",
            Test = "oltp",
            Hosts = [CreateHost("a"), CreateHost("b")],
            AskedHosts = 2,
            Failures = [],
            Warnings = [],
            IOPS = 310_000,
        };
        var requirements = FleetRequirement.Parse(text);
        Assert.Equal(isKept, FleetRequirement.DescribeFailures(requirements, [group]).Count == 0);
        // A smaller step of a ramp is only for comparison.
        Assert.Equal(
            isKept,
            FleetRequirement
                .DescribeFailures(
                    requirements,
                    [
                        group,
                        new FleetGroup
                        {
                            GroupId = "g-1/1",
                            Test = "oltp",
                            Hosts = [CreateHost("a")],
                            AskedHosts = 1,
                            Failures = [],
                            Warnings = [],
                            IOPS = 1,
                        },
                    ]
                )
                .Count == 0
        );
    }

    [Theory]
    [InlineData("iops")]
    [InlineData("sum iops = 3")]
    [InlineData("sum iops > many")]
    public void Invalid_fleet_requirement_throws(string text) =>
        Assert.Equal("IoBench.InvalidRequirement", Assert.Throws<IoBenchException>(() => FleetRequirement.Parse(text)).ErrorId);

    private static FleetHostResult CreateHost(string name) => new() { Host = name, Result = new IoTestResult() };
}
