BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'SshHost.ps1')
    $reason = Get-SshHostReason
    if ($reason) { Write-Warning "Remove-IoSessionModule is not tested: $reason" }
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Remove-IoSessionModule' -Skip:($null -ne $reason) {
    BeforeAll {
        . (Join-Path $PSScriptRoot 'SshHost.ps1')
        $hosts = @(Start-SshHost $TestDrive -Count 2)
        $two = @($hosts | ForEach-Object { New-SshHostSession $_ })
        $quick = @{ LiteralPath = (Join-Path $TestDrive 'disk' 'iobench.dat'); FileSize = '8MB'; Duration = 0.3; WarmUp = 0; WarningAction = 'SilentlyContinue' }
        if (-not $hosts[0].InNamespace) { $quick.Backend = 'Null' }
        $null = Invoke-IoTest @quick -Session $two
    }

    AfterAll {
        Remove-SshHost $hosts
        $two | Remove-PSSession -ErrorAction Ignore
    }

    It 'removes the module that it copied, and nothing else' {
        $places = @($hosts.ForEach({ Join-Path $_.Data 'IoBench' 'module' }))
        foreach ($place in $places) { Get-ChildItem $place | Should -HaveCount 1 }
        Remove-IoSessionModule $two -WhatIf
        foreach ($place in $places) { Get-ChildItem $place | Should -HaveCount 1 }
        $lines = $two | Remove-IoSessionModule -Verbose 4>&1
        "$lines" | Should -Match 'removed .*IoBench/module/'
        foreach ($place in $places) { Split-Path $place | Should -Not -Exist }
        Remove-IoSessionModule $two | Should -BeNullOrEmpty
        # It comes back when it is needed.
        "$(Invoke-IoTest @quick -Session $two[0] -Verbose 4>&1)" | Should -Match 'copying the module'
    }
}
