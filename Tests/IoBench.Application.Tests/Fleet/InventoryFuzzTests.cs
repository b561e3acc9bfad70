using System.Text;
using Xunit.Abstractions;

namespace IoBench.Application.Tests;

/// <summary>Reads mutated inventories, as <see cref="FuzzRun"/> says.</summary>
public class InventoryFuzzTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Inventories_handle_mutated_inputs()
    {
        List<byte[]> inputs = [.. FleetInventoryTests.Examples.Select(Encoding.UTF8.GetBytes)];
        FuzzReader[] readers =
        [
            .. ((string[])["hosts.csv", "hosts.json", "hosts.ini", "list.json", "hosts"]).Select(name => new FuzzReader(
                name,
                input => FleetInventory.Parse(Encoding.UTF8.GetString(input), name),
                MaxBytes: 64_000_000
            )),
        ];
        var run = new FuzzRun(output);
        await run.RunAll(seed =>
        {
            var own = (seed & 0x7fffffff) % inputs.Count;
            var input = new InputMutator(seed, wholeInOf: 2).Mutate([inputs[own]], inputs);
            // The matching reader, and the one that detects the format.
            run.TryInput(seed, input, readers[own]);
            run.TryInput(seed, input, readers[^1]);
        });
    }
}
