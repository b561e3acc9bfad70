BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'SshHost.ps1')
    $reason = Get-SshHostReason
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Remove-IoSessionModule' -Skip:($null -ne $reason) -Tag "$reason" {
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

    It 'may be done by two sessions of one host at once' {
        $twins = $two[0], (New-SshHostSession $hosts[0])
        $null = Invoke-IoTest @quick -Session $twins[0]
        $twins | Remove-IoSessionModule -ErrorVariable problems -ErrorAction SilentlyContinue
        Remove-PSSession $twins[1]
        $problems | Should -BeNullOrEmpty
        Join-Path $hosts[0].Data 'IoBench' | Should -Not -Exist
    }
}

Describe 'The removal of copied modules' {
    It 'says of a session that is gone what is to be done here' {
        function New-GoneSession {
            # A session with a process of this computer, which has ended.
            [CmdletBinding()]
            param()
            $runspace = [runspacefactory]::CreateOutOfProcessRunspace([System.Management.Automation.Runspaces.TypeTable]::LoadDefaultTypeFiles())
            $runspace.Open()
            [System.Management.Automation.Runspaces.PSSession]::Create($runspace, 'process', $PSCmdlet)
            $runspace.Close()
        }
        $gone = New-GoneSession
        $problem = Get-ErrorOf { Remove-IoSessionModule $gone }
        $problem.FullyQualifiedErrorId | Should -Be "IoBench.HostLost,$(Get-ErrorSource Remove-IoSessionModule)"
        $problem.ErrorDetails.RecommendedAction | Should -Be 'The copied module stays on this host, and the other hosts continue. Open a new session to the host, and run Remove-IoSessionModule again.'
    }

    It 'takes what another session has removed meanwhile for removed' {
        $script = [IoBench.PowerShell.RemoteScriptRunner].Assembly.GetType('IoBench.PowerShell.SessionScripts').GetField('RemoveCopies').GetValue($null)
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'home' 'IoBench' 'module' 'key')).FullName
        $other = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'home' 'IoBench' 'module' 'other')).FullName
        Set-Content (Join-Path $folder 'x') 'x'
        $answers = & ([scriptblock]::Create($script)) -Folders $folder, $folder
        $answers.Folder | Should -Be $folder, $folder
        $answers.Problem | Should -Be '', ''
        $other | Should -Exist
        (& ([scriptblock]::Create($script)) -Folders $other).Problem | Should -Be ''
        Join-Path $TestDrive 'home' 'IoBench' | Should -Not -Exist
        Join-Path $TestDrive 'home' | Should -Exist
    }
}
