BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function New-FileStat {
        param([int] $File, [long] $Sample, [long] $Count, [double] $SizeGiB = 100)
        [pscustomobject]@{
            database_id = 5; file_id = $File; sample_ms = $Sample; num_of_reads = $Count; num_of_bytes_read = $Count * 8192; io_stall_read_ms = $Count
            num_of_writes = 0; num_of_bytes_written = 0; io_stall_write_ms = 0; type_desc = $File -eq 2 ? 'LOG' : 'ROWS'; size_on_disk_bytes = [long]($SizeGiB * 1GB)
        }
    }
    $before = (New-FileStat 1 1000 0), (New-FileStat 2 1000 0)
    $after = (New-FileStat 1 101000 310000), (New-FileStat 2 101000 90000)
}

Describe 'Find-IoStorage' {
    It 'finds the disks and the virtual machine of each plan' {
        $choices = Find-IoStorage $before, $after -Cloud azure -InformationVariable said -WarningAction SilentlyContinue
        $choices.Plan | Select-Object -Unique | Should -Be 'Premium SSD', 'Premium SSD v2', 'Ultra Disk'
        $first = $choices | Where-Object Plan -EQ 'Premium SSD'
        $first.Role | Should -Be 'data', 'log', 'VM'
        $first.Storage[0, 1] | Should -Be 'azure:P30', 'azure:P20'
        $first[0].Bottleneck, $first[0].LoadPercent, $first[0].AsOf | Should -Be 'IOPS', 62, '2023-03-16'
        $said[0].MessageData.Message | Should -Be '3 plans fit. Without prices, IoBench does not rank them.'
        $said[1].MessageData.Message | Should -BeLike 'Average over 100 seconds: data 3,100 IOPS and 25.4 MB/s, log 900 IOPS*'
        "$($said[-1])" | Should -BeLike 'To verify the log disk of Premium SSD on the new VM: iobench cap L:\ --provisioned "azure:P20; azure-vm:*"'
        $choices | Out-String -Width 120 | Should -Match '(?m)^data +azure:P30 +IOPS +62'
    }

    It 'takes rows, files, and the headroom' {
        ($before + $after | Find-IoStorage -Cloud azure -Headroom 100)[0].Storage | Should -Be 'azure:P40'
        $csv = Join-Path $TestDrive 'samples.csv'
        $before + $after | Export-Csv $csv
        (Find-IoStorage $csv -Cloud azure)[0].Storage | Should -Be 'azure:P30'
        (Get-Item $csv | Find-IoStorage -Cloud aws).Plan | Select-Object -Unique | Should -Be 'EBS gp3', 'EBS io2 Block Express'
    }

    It 'counts the size of the files' {
        $large = (New-FileStat 1 1000 0 1500), (New-FileStat 1 101000 10000 1500)
        $choices = Find-IoStorage $large[0], $large[1] -Cloud azure -All
        ($choices | Where-Object { $_.Plan -eq 'Premium SSD' -and $_.Role -eq 'data' -and $_.Fits }).Storage | Should -Be 'azure:P40'
        ($choices | Where-Object { $_.Storage -eq 'azure:P30' }).Reason | Should -Be 'the files need 1,500 GiB, but the disk has 1,024 GiB'
    }

    It 'says which file of a managed instance must grow' {
        $choices = Find-IoStorage $before, $after -Cloud azure-mi -InformationVariable said -WarningAction SilentlyContinue
        $files = $choices | Where-Object File
        $files.Storage | Should -Be 'azure-mi:gp:1025', 'azure-mi:gp:513'
        $files[0].Change | Should -Be 'make the file larger than 513 GiB (now 100 GiB)'
        ($choices | Where-Object Role -EQ 'instance').Storage | Should -Be 'azure-mi:gp:4vcore', 'azure-mi:nextgen:4vcore:5200:75', 'azure-mi:bc:4vcore'
        "$said" | Should -Match 'IoBench cannot run on SQL Managed Instance'
        "$said" | Should -Not -Match 'iobench cap'
    }

    It 'uses prices, and writes a report' {
        $prices = Join-Path $TestDrive 'prices.csv'
        Set-Content $prices 'name,price', 'azure:P30,10', 'azure:P50,5'
        (Find-IoStorage $before, $after -Cloud azure -PricesPath $prices)[0].Storage | Should -Be 'azure:P50'
        $report = Join-Path $TestDrive 'storage.html'
        $null = Find-IoStorage $before, $after -ReportPath $report
        Get-Content -Raw $report | Should -Match 'azure:P30'
        $table = Find-IoStorage $before, $after -Cloud azure -PricesPath $prices | Out-String -Width 80
        $table | Should -Match '(?m)^Role +Storage +Bottleneck LoadPercent +Price'
        $table | Should -Match '(?m)^data +azure:P50 +IOPS +41\.3 +5\.00'
        (Get-ErrorOf { Find-IoStorage $before, $after -ReportPath $report }).FullyQualifiedErrorId | Should -BeLike 'IoBench.FileExists,*'
        $null = Find-IoStorage $before, $after -ReportPath $report -Force
    }

    It 'says what is wrong: <Id>' -ForEach @(
        @{ Id = 'IoBench.TwoSnapshots'; Call = { $before | Find-IoStorage } }
        @{ Id = 'IoBench.CountersReset'; Call = { Find-IoStorage $after, $before } }
        @{ Id = 'IoBench.NoLoad'; Call = { Find-IoStorage $before, (New-FileStat 1 101000 0) } }
        @{ Id = 'IoBench.InvalidPrices'; Call = { Set-Content "$TestDrive/bad.csv" 'name,price', 'azure:P31,1'; Find-IoStorage $before, $after -PricesPath "$TestDrive/bad.csv" } }
    ) {
        (Get-ErrorOf $Call).FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.FindIoStorageCommand"
    }
}
